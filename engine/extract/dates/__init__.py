"""Dates in running text: where they stand, which stretch of time they mean, and how a statement is bound to it."""

from muniment.engine.extract.dates.calendar import Clock, Granularity, Lean
from muniment.engine.extract.dates.find import DateSpan, Role, dates_of, find_dates

__all__ = ["Clock", "DateSpan", "Granularity", "Lean", "Role", "dates_of", "find_dates"]
