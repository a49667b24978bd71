"""What each model's job is done by here, and what would do it better: the model part of `muniment doctor`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Final

from muniment.engine.models import spacy_en
from muniment.engine.models.bilingual import EmbedderSet
from muniment.engine.models.catalog import BGE, KNOWN, LAC, MINILM_RERANKER, USE, find
from muniment.engine.models.chat_endpoint import ChatEndpoint
from muniment.engine.models.choose import (
    ModelPolicy,
    Rerank,
    choose_embedders,
    missing_for,
    missing_for_english_analysis,
)
from muniment.engine.models.cross_encoder import CrossEncoder
from muniment.engine.models.integrity import verify
from muniment.engine.models.lac_zh import INSTALL_TRADITIONAL, LacAnalyzer, traditional_table
from muniment.engine.models.regex_any import RegexAnalyzer
from muniment.engine.ports.models import Embedder
from muniment.graph_schema.errors import ModelUnavailable

_EMBEDDER_NAMES: Final = {"BgeEmbedder": BGE, "UseEmbedder": USE}


class Job(StrEnum):
    """What a model is for."""

    EMBED_ENGLISH = "embed English"
    EMBED_OTHER = "embed other languages"
    RERANK = "rerank"
    ANALYZE_ENGLISH = "analyze English"
    ANALYZE_CHINESE = "analyze Chinese"
    EXTRACT = "extract beside the rules"


class Health(StrEnum):
    """How well a job is done."""

    LIVE = "live"
    DEGRADED = "degraded"  # done, by something weaker than the default
    OFF = "off"  # by the settings
    BROKEN = "broken"  # files are there, but not the known ones


@dataclass(frozen=True, slots=True, kw_only=True)
class JobReport:
    """One job: who does it, which version, and the command that mends what is missing (empty if nothing is)."""

    job: Job
    health: Health
    implementation: str
    version: str = ""  # of the package that brought the files
    source: str = ""  # setting | package | cache | endpoint | built in
    fingerprint: str = ""
    note: str = ""
    mend: str = ""


def describe(policy: ModelPolicy | None = None) -> tuple[JobReport, ...]:
    """One report a job, in the order of `Job`. Checks the hashes of what is there; loads no model, asks no network."""
    policy = policy or ModelPolicy()
    return tuple(_reports(policy, choose_embedders(policy)))


def _reports(policy: ModelPolicy, embedders: EmbedderSet) -> Iterator[JobReport]:
    yield _embedding(Job.EMBED_ENGLISH, BGE, embedders.english, policy)
    yield _embedding(Job.EMBED_OTHER, USE, embedders.other, policy)
    yield _rerank(policy)
    yield _english_analysis(policy)
    yield _chinese_analysis(policy)
    yield _extraction(policy)


def _embedding(job: Job, best: str, embedder: Embedder, policy: ModelPolicy) -> JobReport:
    if policy.endpoint is not None:
        return JobReport(
            job=job,
            health=Health.LIVE,
            implementation=f"endpoint, model {policy.endpoint.model}",
            source="endpoint",
            fingerprint=embedder.fingerprint,
            note="configured; not asked by this check",
        )
    missing = " && ".join(missing_for(best, policy.sources))
    key = _EMBEDDER_NAMES.get(type(embedder).__name__)
    if key is None:
        return JobReport(
            job=job,
            health=Health.DEGRADED,
            implementation="hashing (spelling only)",
            source="built in",
            fingerprint=embedder.fingerprint,
            note=f"{best} is missing",
            mend=missing,
        )
    report = _from_files(job, key, embedder.fingerprint, policy)
    if key == best or report.health is Health.BROKEN:
        return report
    return JobReport(
        job=job,
        health=Health.DEGRADED,
        implementation=report.implementation,
        version=report.version,
        source=report.source,
        fingerprint=report.fingerprint,
        note=f"{best} is missing",
        mend=missing,
    )


def _rerank(policy: ModelPolicy) -> JobReport:
    missing = " && ".join(missing_for(MINILM_RERANKER, policy.sources))
    if policy.rerank is Rerank.OFF:
        note = "off by the settings (the default)" + ("; its files are here" if not missing else "")
        return JobReport(job=Job.RERANK, health=Health.OFF, implementation="none", note=note)
    if missing:
        note = "asked for by the settings, but missing"
        return JobReport(job=Job.RERANK, health=Health.BROKEN, implementation="none", note=note, mend=missing)
    return _from_files(Job.RERANK, MINILM_RERANKER, CrossEncoder(policy.sources).fingerprint, policy)


def _english_analysis(policy: ModelPolicy) -> JobReport:
    missing = " && ".join(missing_for_english_analysis(policy.spacy_model))
    folder = spacy_en.find_folder(policy.spacy_model)
    if missing or folder is None:
        return _patterns(Job.ANALYZE_ENGLISH, "no spaCy model", missing)
    try:
        for name, sha256 in folder.sha256.items():
            verify(folder.path / name, sha256)
    except ModelUnavailable as error:
        return _broken(Job.ANALYZE_ENGLISH, folder.name, error, spacy_en.INSTALL)
    return JobReport(
        job=Job.ANALYZE_ENGLISH,
        health=Health.LIVE,
        implementation=f"spaCy {_version('spacy')}, {folder.name}",
        version=spacy_en.VERSION if folder.sha256 else "",
        source="package" if folder.sha256 else "setting",
        fingerprint=spacy_en.SpacyAnalyzer(policy.spacy_model).fingerprint,
    )


def _chinese_analysis(policy: ModelPolicy) -> JobReport:
    if missing := missing_for(LAC, policy.sources):
        return _patterns(Job.ANALYZE_CHINESE, f"{LAC} is missing", " && ".join(missing))
    report = _from_files(Job.ANALYZE_CHINESE, LAC, LacAnalyzer(policy.sources).fingerprint, policy)
    if report.health is Health.BROKEN or traditional_table() is not None:
        return report
    return JobReport(
        job=report.job,
        health=Health.DEGRADED,
        implementation=report.implementation,
        version=report.version,
        source=report.source,
        fingerprint=report.fingerprint,
        note="traditional characters are not converted",
        mend=INSTALL_TRADITIONAL,
    )


def _extraction(policy: ModelPolicy) -> JobReport:
    if policy.chat is None:
        note = "off by the settings (the default): the rules alone find facts"
        return JobReport(job=Job.EXTRACT, health=Health.OFF, implementation="none", note=note)
    missing = [package for package in ("httpx", *policy.chat_needs) if not find_spec(package)]
    implementation = f"endpoint, model {policy.chat.model}"
    if missing:
        return JobReport(
            job=Job.EXTRACT, health=Health.BROKEN, implementation=implementation, source="endpoint",
            note=f"{', '.join(missing)} is missing; the rules alone find facts", mend=f"pip install 'muniment[{'graphiti' if policy.chat_needs else 'endpoint'}]'",
        )  # fmt: skip
    return JobReport(
        job=Job.EXTRACT,
        health=Health.LIVE,
        implementation=implementation,
        source="endpoint",
        fingerprint=ChatEndpoint(policy.chat).fingerprint,
        note=f"configured; not asked by this check; prompts: {policy.chat_prompts}",
    )


def _patterns(job: Job, note: str, mend: str) -> JobReport:
    return JobReport(
        job=job,
        health=Health.DEGRADED,
        implementation="patterns",
        source="built in",
        fingerprint=RegexAnalyzer().fingerprint,
        note=note,
        mend=mend,
    )


def _from_files(job: Job, key: str, fingerprint: str, policy: ModelPolicy) -> JobReport:
    try:
        files = find(key, policy.sources)
    except ModelUnavailable as error:
        return _broken(job, key, error, f"{KNOWN[key].install} --force-reinstall --no-deps")
    return JobReport(
        job=job,
        health=Health.LIVE,
        implementation=key,
        version=f"{KNOWN[key].package} {_version(KNOWN[key].package)}".strip(),
        source=files.source,
        fingerprint=fingerprint,
    )


def _broken(job: Job, implementation: str, error: ModelUnavailable, mend: str) -> JobReport:
    return JobReport(job=job, health=Health.BROKEN, implementation=implementation, note=str(error), mend=mend)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
