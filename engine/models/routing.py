"""Each stretch of a text to the analyzer that reads it: Chinese sentences to one, English ones to another.

Whole sentences go to the model of their language, for a model needs its context. Chinese inside an English sentence is
read once more by the Chinese model, whose names replace those that the English one made of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from muniment.engine.ingest.language import CHINESE, ENGLISH, Run, language_of, language_runs
from muniment.engine.models.language import cjk_runs, has_cjk
from muniment.engine.models.stitching import Part, stitch, with_entities
from muniment.engine.ports.models import Analysis, Analyzer, Span

_MIN_INSET: Final = 2  # a single Chinese character is no name


class RoutingAnalyzer:
    """English, Chinese and mixed texts; other scripts go to `fallback`. Offsets are always those of the whole text.

    `degraded` says in plain words what is worse than it could be because a model is missing.
    """

    def __init__(
        self, *, english: Analyzer, chinese: Analyzer, fallback: Analyzer, degraded: Sequence[str] = ()
    ) -> None:
        self._analyzers = {ENGLISH: english, CHINESE: chinese}
        self._fallback = fallback
        self.degraded = tuple(degraded)

    @property
    def fingerprint(self) -> str:
        return "+".join(dict.fromkeys(a.fingerprint for a in (*self._analyzers.values(), self._fallback)))

    def analyze(self, text: str) -> Analysis:
        """Raises ModelUnavailable."""
        return self.analyze_many([text])[0]

    def analyze_many(self, texts: Sequence[str]) -> list[Analysis]:
        """One analysis a text, in order; each model gets all its stretches in one batch. Raises ModelUnavailable."""
        runs = [_runs(text) for text in texts]
        made: dict[tuple[int, int], Analysis] = {}
        for lang in dict.fromkeys(run.lang for text_runs in runs for run in text_runs):
            places = [(n, run) for n, text_runs in enumerate(runs) for run in text_runs if run.lang == lang]
            stretches = [texts[n][run.start : run.end] for n, run in places]
            analyses = self._analyzers.get(lang, self._fallback).analyze_many(stretches)
            for (n, run), stretch, analysis in zip(places, stretches, analyses, strict=True):
                made[n, run.start] = self._with_insets(stretch, analysis) if lang == ENGLISH else analysis
        return [self._joined(text, n, runs[n], made) for n, text in enumerate(texts)]

    def _joined(self, text: str, number: int, runs: Sequence[Run], made: dict[tuple[int, int], Analysis]) -> Analysis:
        parts = [Part(start=run.start, analysis=made[number, run.start]) for run in runs]
        return stitch(parts, lang=runs[0].lang if len(runs) == 1 else language_of(text))

    def _with_insets(self, text: str, analysis: Analysis) -> Analysis:
        if not has_cjk(text):
            return analysis
        insets = [(start, end) for start, end in cjk_runs(text) if end - start >= _MIN_INSET]
        read = self._analyzers[CHINESE].analyze_many([text[start:end] for start, end in insets])
        found: list[Span] = []
        for (start, _), inset in zip(insets, read, strict=True):
            found += [replace(span, start=span.start + start, end=span.end + start) for span in inset.entities]
        return with_entities(analysis, found)


def _runs(text: str) -> list[Run]:
    """At least one; a text without Chinese is not cut at all."""
    if not text or text.isascii() or not has_cjk(text):
        return [Run(start=0, end=len(text), lang=language_of(text))]
    return language_runs(text)
