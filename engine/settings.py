"""What can be set from outside, each by one environment variable; the only reader of the environment.

`docs/settings.md` explains them one by one, and a test keeps the two together.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from muniment.graph_schema.errors import Invalid

PREFIX: Final = "MUNIMENT_"
MIB: Final = 1024 * 1024


def default_data_dir() -> Path:
    """The folder of the user's own data: where the embedded store is unless a store URL says otherwise."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "muniment"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "muniment"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "muniment"


def default_store_url() -> str:
    """The embedded store of this user."""
    return f"sqlite:///{default_data_dir() / 'muniment.db'}"


def is_set_for_all(variable: str) -> bool:
    """Whether the operator set a variable that is not ours, such as one of the C library."""
    return variable in os.environ


def switch_telemetry_off() -> None:
    """Keeps graphiti-core, where it is used, from reporting anything; to be called before it is imported."""
    os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"


def _split(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


class Settings(BaseSettings):
    """All settings with their defaults. Values given in code win over the environment."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", env_ignore_empty=True)

    # the store
    store_url: str = Field(default_factory=default_store_url)
    environment: Annotated[str, Field(pattern=r"^[^\W_](?:[\w.\-]{0,62}\w)?$")] = "dev"
    neo4j_user: str = ""
    neo4j_password: SecretStr = SecretStr("")
    neo4j_database: str = ""
    vector_memory_mb: Annotated[int, Field(ge=16)] = 1024

    # models
    models_dir: Path | None = None
    models_download: bool = False
    spacy_model: str = ""
    rerank: Literal["off", "english"] = "off"
    bridge: Literal["off", "sentences"] = "off"
    embedding_url: str = ""
    embedding_model: str = ""
    embedding_dim: Annotated[int, Field(ge=0, le=8192)] = 0
    embedding_api_key: SecretStr = SecretStr("")
    embedding_query_prefix: str = ""
    embedding_document_prefix: str = ""
    embedding_timeout_s: Annotated[float, Field(gt=0)] = 30.0

    # the language model that extraction may ask
    llm_url: str = ""
    llm_model: str = ""
    llm_api_key: SecretStr = SecretStr("")
    llm_prompts: Literal["own", "graphiti"] = "own"
    llm_format: Literal["json_schema", "json_object", "text"] = "json_schema"
    llm_timeout_s: Annotated[float, Field(gt=0)] = 60.0
    llm_tries: Annotated[int, Field(ge=1, le=10)] = 3
    llm_daily_tokens: Annotated[int, Field(ge=0)] = 1_000_000
    llm_daily_cost: Annotated[float, Field(ge=0)] = 0.0
    llm_price_in: Annotated[float, Field(ge=0)] = 0.0
    llm_price_out: Annotated[float, Field(ge=0)] = 0.0

    # what is not to be stored; a tenant may set these for itself
    secrets: Literal["refuse", "redact", "keep"] = "redact"
    personal_data: Literal["refuse", "redact", "keep"] = "keep"

    # blocks for prompts
    count_tokens: str = ""

    # the size of one call; all other limits are part of the contract and do not change
    max_body_bytes: Annotated[int, Field(ge=1024)] = 8 * MIB

    # the service
    rate_limit_per_minute: Annotated[int, Field(ge=0)] = 0
    failed_keys_per_minute: Annotated[int, Field(ge=1)] = 600
    idempotency_hours: Annotated[int, Field(ge=1)] = 24
    idempotency_wait_s: Annotated[float, Field(ge=0, le=300)] = 10.0
    read_after_wait_s: Annotated[float, Field(ge=0, le=300)] = 10.0
    metrics_tenants: Annotated[int, Field(ge=0, le=1000)] = 0
    trace_days: Annotated[int, Field(ge=1)] = 7
    cors_origins: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)] = ()
    log_level: Literal["debug", "info", "warning", "error"] = "info"

    # bearer tokens of an identity provider
    oidc_issuer: str = ""
    oidc_audience: str = ""
    oidc_jwks: str = ""
    oidc_jwks_keep_s: Annotated[float, Field(ge=10, le=86_400)] = 300.0
    oidc_algorithms: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)] = ("RS256", "ES256")
    oidc_leeway_s: Annotated[float, Field(ge=0, le=300)] = 30.0
    oidc_tenant_claim: Annotated[str, Field(min_length=1)] = "tenant"
    oidc_role_claim: Annotated[str, Field(min_length=1)] = "role"
    oidc_walls_claim: Annotated[str, Field(min_length=1)] = "walls"
    oidc_roles: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)] = ()

    # webhooks
    webhooks: bool = False
    webhook_networks: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)] = ()
    webhook_attempts: Annotated[int, Field(ge=1, le=20)] = 8
    webhook_timeout_s: Annotated[float, Field(gt=0, le=60)] = 10.0

    # the tools for agents
    mcp_http: bool = True
    mcp_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)] = ()
    mcp_key: SecretStr = SecretStr("")

    # the command line as a caller of a server
    key: SecretStr = SecretStr("")

    # jobs
    worker_lease_s: Annotated[float, Field(gt=0)] = 60.0
    worker_poll_s: Annotated[float, Field(gt=0)] = 0.5
    job_attempts: Annotated[int, Field(ge=1)] = 5
    job_keep_days: Annotated[int, Field(ge=1)] = 30
    job_late_s: Annotated[float, Field(gt=0)] = 300.0
    job_failed_hours: Annotated[int, Field(ge=1)] = 24

    @classmethod
    def variables(cls) -> dict[str, str]:
        """Each setting's environment variable, by field."""
        return {name: f"{PREFIX}{name}".upper() for name in cls.model_fields}


def read_settings(**values: object) -> Settings:
    """The settings of this process: the environment, with `values` on top.

    Raises Invalid naming the variable, its value unless it is secret, and what would be right.
    """
    try:
        return Settings(**values)  # type: ignore[arg-type]  # pydantic checks them
    except ValidationError as cause:
        first = cause.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        raise Invalid(f"{PREFIX}{name.upper()} is wrong: {first['msg']}", field=name) from cause
