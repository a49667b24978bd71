"""Where a delivery may go, address by address."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

import pytest

from muniment.engine.webhooks.addresses import address_of, is_allowed, networks_in, url_in
from muniment.graph_schema.errors import Forbidden, Invalid, Unavailable

LOCAL = networks_in(["127.0.0.0/8"])


@pytest.mark.parametrize("address", ["93.184.215.14", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_allowed(ipaddress.ip_address(address), ())


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "192.0.0.8", "198.18.0.1", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
        "::", "::1", "fe80::1", "fc00::1", "fd12::7", "ff02::1", "fec0::1", "64:ff9b:1::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::7f00:1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a9fe:a9fe::",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public_are_refused_also_where_another_wraps_them(address: str) -> None:
    assert not is_allowed(ipaddress.ip_address(address), ())


def test_a_network_that_is_named_is_allowed_and_no_other() -> None:
    assert is_allowed(ipaddress.ip_address("127.0.0.1"), LOCAL)
    assert not is_allowed(ipaddress.ip_address("10.0.0.1"), LOCAL)
    with pytest.raises(Invalid, match="WEBHOOK_NETWORKS"):
        networks_in(["10.0.0.1/8"])


@pytest.mark.parametrize(
    "url",
    [
        "http://crm.example/x", "ftp://crm.example", "crm.example", "https://", "https:///x", "https://u:p@crm.example",
        "https://u@crm.example", "https://crm.example/#x", "https://crm.example:0", "https://crm.example:99999", "https://127.0.0.1/x",
        "https://[::1]/", "https://169.254.169.254/latest", "https://crm.example/a b", "https://crm.example\\@10.0.0.1/", "https://crm.ex\u00e4mple/",
        "https://crm.example/" + "x" * 2048, "file:///etc/passwd", "https://crm.example/\r\nX: y",
    ],
)  # fmt: skip
def test_an_address_that_is_none_for_a_receiver_is_refused_at_once(url: str) -> None:
    with pytest.raises(Invalid) as wrong:
        url_in(url)
    assert wrong.value.field == "url"


def test_what_a_receiver_may_be() -> None:
    assert url_in("https://crm.example:8443/hooks?a=1")
    assert url_in("http://127.0.0.1:9000/hook", allowed=LOCAL)


async def found(url: str, *addresses: str, networks: Sequence[str] = ()) -> str:
    async def resolve(host: str, port: int) -> list[str]:
        assert (host, port) == ("crm.example", 443 if url.startswith("https") else 80)
        return list(addresses)

    return await address_of(url, allowed=networks_in(networks), resolve=resolve)


async def test_a_name_is_judged_by_every_address_that_it_has() -> None:
    assert await found("https://crm.example", "1.1.1.1", "1.0.0.1") == "1.1.1.1"
    for addresses in (("10.0.0.1",), ("1.1.1.1", "10.0.0.1"), ("1.1.1.1", "::1"), ("fe80::1%eth0",)):
        with pytest.raises(Forbidden):
            await found("https://crm.example", *addresses)
    assert await found("https://crm.example", "10.0.0.1", networks=["10.0.0.0/24"]) == "10.0.0.1"
    with pytest.raises(Unavailable):
        await found("https://crm.example")


async def test_without_tls_only_the_named_networks_are_called() -> None:
    assert await found("http://crm.example", "10.0.0.1", networks=["10.0.0.0/24"]) == "10.0.0.1"
    with pytest.raises(Forbidden, match="http://"):
        await found("http://crm.example", "1.1.1.1", networks=["10.0.0.0/24"])
