"""One live server for all tests of the clients."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.client.live import Live, live


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(f"sqlite:///{tmp_path_factory.mktemp('live') / 'muniment.db'}", read_after_wait_s=0.3) as running:
        yield running
