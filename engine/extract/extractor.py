"""The rule extractor: from episodes to candidates, with no model key and nothing written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from hashlib import sha256
from typing import Final

from muniment.engine.extract.addresses import ADDRESS, at_towns
from muniment.engine.extract.candidates import Candidate, CandidateKind, Extraction, KnownNames, Named
from muniment.engine.extract.change.notes import NoteReading
from muniment.engine.extract.change.reader import NoteReader, is_note
from muniment.engine.extract.chinese import sentence as chinese
from muniment.engine.extract.chinese.stance import sentence_stance as chinese_stance
from muniment.engine.extract.chinese.traditional import Writing
from muniment.engine.extract.contacts import CONTACTS, contact_links, mail_people
from muniment.engine.extract.context import EpisodeContext, is_greeted
from muniment.engine.extract.dates import Clock, DateSpan, dates_of
from muniment.engine.extract.defined_terms import defined_terms, with_terms
from muniment.engine.extract.departures import posts_left, with_posts_ended
from muniment.engine.extract.english import sentence as english
from muniment.engine.extract.english.stance import orders_memory
from muniment.engine.extract.english.stance import sentence_stance as english_stance
from muniment.engine.extract.events import event_of
from muniment.engine.extract.gazetteer import Meanings, as_meanings, known_mentions, name_keys
from muniment.engine.extract.importance import importance_of
from muniment.engine.extract.introductions import introduced, is_of_us, own_firm, we_mentions
from muniment.engine.extract.layout import NAMING
from muniment.engine.extract.lines import named_by
from muniment.engine.extract.links import Link
from muniment.engine.extract.mentions import ORGANISATION, PERSON, Mention, without_overlaps
from muniment.engine.extract.preferences import preferences_of
from muniment.engine.extract.procedures import find_procedures
from muniment.engine.extract.reading import Sentence, blanked, has_own_context, readable_sentences, writer_of
from muniment.engine.extract.rulebook import RULES, confidence_of
from muniment.engine.extract.speech import carried_on, said_by, speeches
from muniment.engine.extract.tables import find_tables, table_links
from muniment.engine.extract.topics import liking_topic, wish_topic
from muniment.engine.extract.validity import Validity, stated_validity, validity_of
from muniment.engine.extract.wishes import NEGATIVE, POSITIVE, Preference
from muniment.engine.extract.wordings import Wordings
from muniment.engine.ports.models import Analysis, Analyzer
from muniment.graph_schema.ontology import Ontology, ValueKind
from muniment.graph_schema.records import Episode, Says

VERSION = "1"
_MIN_NAME = 2
_LIKINGS = frozenset(
    """
    likes dislikes prefers avoids must must_not allergic_to has_favourite follows_diet preferred_channel
    preferred_contact_time preferred_language opted_out_of
    """.split()
)
_NEGATIVE = frozenset({"dislikes", "avoids", "must_not", "allergic_to", "opted_out_of"})
_CONSTRAINTS = frozenset({"must", "must_not", "allergic_to", "follows_diet"})
_WISHES = _LIKINGS - {"likes", "dislikes", "avoids", "allergic_to"}


class RuleExtractor:
    """Finds candidates by rules over an analyzer's tokens and parse. Implements `Extractor`; holds no state of a tenant.

    `zone` is the tenant's time zone: in it "yesterday" begins and ends.
    """

    def __init__(self, *, analyzer: Analyzer, ontology: Ontology, zone: tzinfo = UTC) -> None:
        self._analyzer = analyzer
        self._wordings = Wordings(ontology)
        self._zone = zone

    @property
    def fingerprint(self) -> str:
        rules = sha256("\n".join(sorted(RULES)).encode()).hexdigest()[:8]
        return f"rules:{VERSION}:{rules}+{self._wordings.ontology.fingerprint[:12]}+{self._analyzer.fingerprint}"

    def extract(self, episodes: Sequence[Episode], *, known: KnownNames) -> Extraction:
        """Candidates in the order of the episodes and of their text. All sentences share the analyzer's batches.

        Raises ModelUnavailable where the analyzer does.
        """
        sentences = [readable_sentences(episode.text) for episode in episodes]
        texts = [sentence.text for group in sentences for sentence in group]
        analyses = iter(self._analyzer.analyze_many(texts) if texts else [])
        keys = [{key for sentence in group for key in name_keys(sentence.text)} for group in sentences]
        known.lookup(sorted(set().union(*keys)))  # one question for all of them: the store may be far away
        found: list[Candidate] = []
        notes: list[NoteReading] = []
        for episode, group, asked in zip(episodes, sentences, keys, strict=True):
            reader = _EpisodeReader(
                episode=episode, wordings=self._wordings, meanings=known.lookup(sorted(asked)),
                clock=Clock(anchor=episode.occurred_at, zone=self._zone),
                context=EpisodeContext(ontology=self._wordings.ontology, speaker=episode.speaker, title=episode.title),
                note=NoteReader(episode) if is_note(episode) else None,
            )  # fmt: skip
            read = reader.read([(sentence, next(analyses)) for sentence in group])
            found += read
            if episode is not episodes[-1]:
                known.learn(episode, read)
            if reader.note is not None:
                notes.append(reader.note.reading(reader.seen))
        degraded = tuple(getattr(self._analyzer, "degraded", ()))
        return Extraction(candidates=tuple(found), notes=tuple(notes), degraded=degraded)


@dataclass(slots=True)
class _EpisodeReader:
    """Reads one episode's sentences in order."""

    episode: Episode
    wordings: Wordings
    meanings: Meanings
    clock: Clock
    context: EpisodeContext
    note: NoteReader | None = None
    seen: dict[str, Candidate] = field(default_factory=dict)
    terms: dict[str, Mention] = field(default_factory=dict)  # what a contract calls its parties
    writing: Writing = field(default_factory=Writing)
    introduced: str = ""  # the name that the writer gives of themselves
    saying: Mention | None = None  # whose words, between quotation marks, are not closed yet
    record: Mention | None = None  # what the lines of `key: value` at hand are about, as the first of them names it

    def read(self, sentences: Sequence[tuple[Sentence, Analysis]]) -> list[Candidate]:
        if has_own_context(self.episode.text) and not blanked(self.episode.text).strip():
            return []
        out: list[Candidate] = list(self._frame())
        for person in mail_people(self.episode.text):
            self._see(person)
            self.context.know(person)
        writer = self.context.speaker or writer_of(self.episode.text)
        last = 0
        for sentence, analysis in sentences:
            if orders_memory(sentence.text):
                continue
            is_apart = "\n\n" in self.episode.text[last : sentence.start]
            if not sentence.key or is_apart:
                self.record = None
            if is_apart or sentence.speaker:  # a turn of a chat is its speaker's
                self.saying = None
            last = sentence.end
            self.context.speaker = sentence.speaker or writer or self.introduced
            if sentence.speaker:
                self._see(Mention(start=-1, end=-1, text=sentence.speaker, type=PERSON, rule="name.speaker"))
            out += self._sentence(sentence, analysis)
        out += list(posts_left(out, self.wordings.ontology))
        out += self._tables()
        out += self._procedure()
        return [*self.seen.values(), *out]

    def _frame(self) -> Iterator[Candidate]:
        """The speaker and what the title names."""
        if self.episode.speaker.strip() and self.episode.speaker.casefold() not in (
            "user",
            "assistant",
            "system",
            "tool",
        ):
            self._see(
                Mention(start=-1, end=-1, text=self.episode.speaker.strip(), type=PERSON, rule="name.speaker"),
                role="speaker",
            )
        if self.episode.title.strip():
            self._see(Mention(start=-1, end=-1, text=self.episode.title.strip(), rule="name.title"), role="title")
        yield from ()

    def _sentence(self, sentence: Sentence, analysis: Analysis) -> Iterator[Candidate]:
        as_written = sentence
        if sentence.lang == "zh":
            sentence, analysis = self.writing.read(sentence, analysis)
        dates = dates_of(sentence.text, lang=sentence.lang, clock=self.clock)
        side = chinese if sentence.lang == "zh" else english
        given = known_mentions(as_written.text, {**as_meanings(self.context.longer_names()), **self.meanings})
        bare = side.find_mentions(sentence.text, analysis, dates, given)
        bare = self._with_terms(sentence, analysis, bare)
        if self.context.own_firm is not None:
            ours = we_mentions(sentence.text, analysis.tokens, sentence.lang, self.context.own_firm)
            bare = without_overlaps([*bare, *ours])
        dates = [date for date in dates if not any(_is_name_around(mention, date) for mention in bare)]
        mentions = self.context.resolve(bare, self.meanings, sentence.text)
        spoken = list(speeches(sentence.text, mentions))
        if self.saying is not None:
            spoken.insert(0, carried_on(sentence.text, self.saying))
        self.saying = next((speech.by for speech in spoken if speech.open), None)
        mentions = [said_by(spoken, mention, mention.start) for mention in mentions]
        owner = self._owner()
        if owner is None and sentence.key.casefold() in NAMING:
            self.record = named_by(sentence, mentions)  # the line says whom the next ones are about, and no more
            if self.record is not None and self.record.rule == "name.line":
                self._see(self.record, sentence)
        elif owner is None:
            owner = self._first()
        told = [mention for mention in mentions if not is_greeted(sentence.text, mention)]
        links = side.find_links(sentence, analysis, told, self.wordings, owner=owner)
        if any(mention.type in CONTACTS for mention in mentions):
            above = (chinese_stance if sentence.lang == "zh" else english_stance)(sentence.text)
            links = contact_links(sentence.text, mentions, links, self.wordings, above)
        if not sentence.key and self._spoke_of_others(owner):
            links = [link for link in links if link.rule != "en.noun.line"]
        links = list(with_posts_ended(links, self.wordings.ontology))
        mentions, links = _told_apart(mentions, links)
        links = [link for link in at_towns(links, self.wordings) if not is_of_us(link)]
        self._learn_who_speaks(sentence, mentions, links)
        preferences = [
            replace(preference, subject=said_by(spoken, preference.subject, preference.value.start))
            for preference in preferences_of(sentence, analysis, mentions, self.wordings)
        ]
        for end in (end for link in links for end in (link.subject, link.object)):
            if end.type == "contract" and not end.pronoun and " " in end.text:
                self.context.paper = end
        if sentence is not as_written:
            self.writing.learn(
                [
                    *mentions,
                    *(end for link in links for end in (link.subject, link.object)),
                    *(p.value for p in preferences),
                ],
                as_written,
            )
        mentions = [self.writing.mention(mention) for mention in mentions]
        links = [self.writing.link(link) for link in links]
        preferences = [self.writing.preference(preference) for preference in preferences]
        if self.note is not None:
            self.note.add(sentence, analysis, mentions, dates)
        for mention in _final_types(mentions, links):
            if not mention.is_value and not mention.pronoun:
                self._see(mention, sentence)
        for preference in preferences:
            candidate = self._preference(preference, dates, sentence)
            if candidate is not None:
                yield candidate
        facts = [
            candidate
            for link in links
            if not any(_tells_same(link, preference) for preference in preferences)
            and (candidate := self._fact(link, links, dates, sentence)) is not None
        ]
        yield from one_value_each(facts, self.wordings.ontology)
        event = event_of(sentence, mentions, dates, links)
        if event is not None:
            yield self._candidate(
                CandidateKind.EVENT, sentence, rule="event", confidence=event.confidence, type=event.type, subject=event.about,
                valid_at=event.at, invalid_at=event.until, attributes={"title": event.title, "granularity": event.granularity},
            )  # fmt: skip

    def _learn_who_speaks(self, sentence: Sentence, mentions: Sequence[Mention], links: Sequence[Link]) -> None:
        """What the speaker says of themselves, for the sentences behind; in a written-out chat each turn is another's."""
        if sentence.speaker:
            return
        self.introduced = self.introduced or introduced(sentence.text, mentions)
        speakers = frozenset(filter(None, (self.context.speaker, self.introduced, "I", "我")))
        firm = own_firm(sentence.text, mentions, links, speakers, self.wordings.ontology)
        self.context.own_firm = firm or self.context.own_firm

    def _with_terms(self, sentence: Sentence, analysis: Analysis, mentions: Sequence[Mention]) -> list[Mention]:
        new = list(defined_terms(sentence.text, mentions))
        self.terms |= {term.term: term.meant for term in new}
        if not self.terms:
            return list(mentions)
        heads = {token.end: index for index, token in enumerate(analysis.tokens)}
        return [
            replace(m, head=heads.get(m.end, -1)) if m.rule == "pronoun.term" and m.head < 0 else m
            for m in with_terms(sentence.text, mentions, self.terms, new)
        ]

    def _owner(self) -> Mention | None:
        """Whom lines of `key: value` are about: what the title names, else what the first of these lines does."""
        title = self.episode.title.strip()
        if title:
            return Mention(start=-2, end=-1, text=title, rule="name.title")
        return replace(self.record, start=-2, end=-1) if self.record is not None else None

    def _spoke_of_others(self, owner: Mention | None) -> bool:
        """Whether the text has named other things than its owner, of which "the fee is $12" may be said as well."""
        named = {thing.same_as or thing.text for thing in self.context.things}
        return owner is not None and not named <= {owner.text}

    def _first(self) -> Mention | None:
        return self.context.things[0] if self.context.things else None

    def _fact(
        self, link: Link, links: Sequence[Link], dates: Sequence[DateSpan], sentence: Sentence
    ) -> Candidate | None:
        subject, object_ = _end(link.subject), _end(link.object)
        if subject is None or object_ is None or link.stance.silent or subject == object_:
            return None
        if link.object.type == "date" and self._takes_amounts(link.relation):
            return None
        if link.relation in _LIKINGS:
            return self._liking(link, subject, object_, dates, sentence)
        is_contact = link.rule == "contact"  # stands beside a name; the dates are of what the sentence says of it
        when = Validity() if is_contact else validity_of(link, links, dates, sentence.text)
        confidence = min(link.confidence, link.stance.cap)
        relation = _narrowed(link.relation, subject, object_, self.wordings.ontology) or link.name
        if not relation:
            return None
        future = when.valid_at is not None and link.stance.reasons == ("future",)
        return self._candidate(
            CandidateKind.FACT, sentence, rule=link.rule, confidence=round(confidence, 3), subject=subject, relation=relation,
            phrase=link.phrase, object=object_, valid_at=when.valid_at, invalid_at=when.invalid_at, assertion=link.stance.says,
            importance=importance_of(relation, self.wordings.ontology),
            attributes={**link.attributes, **({"cues": link.stance.reasons} if link.stance.reasons else {}), **({"planned": True} if future else {})},
        )  # fmt: skip

    def _takes_amounts(self, relation: str) -> bool:
        return self.wordings.ontology.relation(relation).relation.value_kind is ValueKind.AMOUNT

    def _liking(
        self, link: Link, subject: Named, object_: Named, dates: Sequence[DateSpan], sentence: Sentence
    ) -> Candidate:
        """A wish or like that a relation of the ontology told."""
        negative = link.relation in _NEGATIVE
        when = stated_validity(dates, (link.object.start, link.object.end), sentence.text)
        constraint = link.relation in _CONSTRAINTS
        return self._candidate(
            CandidateKind.PREFERENCE, sentence, rule=link.rule, confidence=round(min(link.confidence, link.stance.cap), 3), subject=subject,
            relation=link.relation, phrase=link.phrase, object=object_, assertion=link.stance.says, valid_at=when.valid_at, invalid_at=when.invalid_at, importance=5 if constraint else 4,
            attributes={
                "topic": wish_topic(object_.name) if link.relation in _WISHES else liking_topic(object_.name), "value": object_.name,
                "polarity": NEGATIVE if negative else POSITIVE, "strength": 5 if constraint else 3, "constraint": constraint,
            },
        )  # fmt: skip

    def _preference(self, preference: Preference, dates: Sequence[DateSpan], sentence: Sentence) -> Candidate | None:
        (who,) = [preference.subject] if preference.subject.same_as else self.context.resolve([preference.subject], {})
        who = self.writing.mention(who)
        if who.pronoun and not who.same_as and not sentence.text.startswith(who.text, who.start):
            who = self.context.only_person() or who  # an order without a speaker is for the one whom the text is about
        subject = _end(who)
        if subject is None or preference.stance.silent:
            return None
        when = stated_validity(dates, (preference.value.start, preference.value.end), sentence.text)
        return self._candidate(
            CandidateKind.PREFERENCE, sentence, rule=preference.rule, confidence=round(min(preference.confidence, preference.stance.cap), 3),
            subject=subject, relation=preference.relation, phrase=preference.phrase,
            object=replace(preference.value.named(), is_value=preference.value.is_value or not preference.value.type),
            assertion=preference.stance.says, valid_at=when.valid_at, invalid_at=when.invalid_at, importance=5 if preference.constraint else 4,
            attributes={
                "topic": preference.topic, "value": preference.value.text, "polarity": preference.polarity,
                "strength": preference.strength, "constraint": preference.constraint,
            },
        )  # fmt: skip

    def _tables(self) -> Iterator[Candidate]:
        for table in find_tables(blanked(self.episode.text)):
            if self.note is not None:
                self.note.add_rows(table)
            for first, cell, link in table_links(table, self.wordings, self.clock):
                owner = self.context.resolve(
                    [link.subject if link.subject.start == first.start else link.object], self.meanings
                )
                self._see(owner[0])
                subject, object_ = _end(link.subject), _end(link.object)
                if subject is not None and object_ is not None:
                    place = Sentence(start=first.start, end=cell.end, text="", lang="")
                    yield self._candidate(
                        CandidateKind.FACT, place, rule=link.rule, confidence=round(link.confidence, 3), subject=subject,
                        relation=link.relation or link.name, phrase=link.phrase, object=object_,
                        importance=importance_of(link.relation or link.name, self.wordings.ontology),
                    )  # fmt: skip

    def _procedure(self) -> Iterator[Candidate]:
        for found in find_procedures(blanked(self.episode.text), self.episode.title):
            yield Candidate(
                kind=CandidateKind.SKILL, text=self.episode.text[found.start : found.end], start=found.start, end=found.end,
                rule="steps", confidence=confidence_of("steps"), episode=self.episode.id, relation="skill",
                attributes={"trigger": found.trigger, "steps": list(found.steps)}, importance=4,
            )  # fmt: skip

    def _candidate(self, kind: CandidateKind, sentence: Sentence, **fields: object) -> Candidate:
        return Candidate(
            kind=kind, text=self.episode.text[sentence.start : sentence.end], start=sentence.start, end=sentence.end,
            episode=self.episode.id, **fields,  # type: ignore[arg-type]
        )  # fmt: skip

    def _see(self, mention: Mention, sentence: Sentence | None = None, *, role: str = "") -> None:
        """An entity candidate for a name, once an episode; a later, better typed mention gives its type.

        `sentence` is the one in which it stands; without one its place is that in the text.
        """
        if len(mention.text) < _MIN_NAME:
            return
        key = mention.text.casefold()
        old = self.seen.get(key)
        if old is not None:
            if not old.type and mention.type:
                self.seen[key] = replace(
                    old, type=mention.type, subject=replace(old.subject or mention.named(), type=mention.type)
                )
            return
        start, end = mention.start, mention.end
        if sentence is not None and start >= 0:
            start, end = sentence.place(start), sentence.place(end - 1) + 1
        self.seen[key] = Candidate(
            kind=CandidateKind.ENTITY, text=mention.text, start=start, end=end, rule=mention.rule or "name",
            confidence=confidence_of("name"), episode=self.episode.id, type=mention.type, subject=mention.named(),
            attributes={"role": role} if role else {},
        )  # fmt: skip


def _is_name_around(mention: Mention, date: DateSpan) -> bool:
    """Whether a date is but a part of a name: "Yesterday and Today", "Invoice 2026-04", 建国路12号."""
    return (
        (not mention.is_value or mention.type == ADDRESS)
        and mention.start <= date.bare_start
        and date.end <= mention.end
    )


def _told_apart(mentions: Sequence[Mention], links: Sequence[Link]) -> tuple[list[Mention], list[Link]]:
    """Mentions and links, a short name no longer taken for the longer one to which a relation joins it: in "Lady Vey was
    sung by Vey" two are named."""
    apart = {
        link.object.start
        for link in links
        if link.relation and not link.object.pronoun and not link.subject.pronoun
        and link.subject.start >= 0 and link.object.same_as in (link.subject.text, link.subject.same_as) and link.object.same_as
    }  # fmt: skip
    if not apart:
        return list(mentions), list(links)
    return (
        [replace(m, same_as="") if m.start in apart else m for m in mentions],
        [
            replace(link, object=replace(link.object, same_as="")) if link.object.start in apart else link
            for link in links
        ],
    )


def one_value_each(facts: Sequence[Candidate], ontology: Ontology) -> list[Candidate]:
    """The facts of one sentence, with one object for each subject of a single-valued relation over the same time.

    A sentence that gives it several ("the law of England and Wales") means one thing by them, and they must not end each
    other: the surest reading stays, of equally sure ones the first.
    """
    chosen: dict[tuple[object, ...], Candidate] = {}
    for fact in facts:
        known = ontology.relation(fact.relation).relation
        if not ontology.is_functional(known.name):
            key: tuple[object, ...] = (id(fact),)
        else:
            key = (fact.subject, known.name, fact.assertion, fact.valid_at, fact.invalid_at)
        if key not in chosen or fact.confidence > chosen[key].confidence:
            chosen[key] = fact
    kept = {id(fact) for fact in chosen.values()}
    return [fact for fact in facts if id(fact) in kept]


def _tells_same(link: Link, preference: Preference) -> bool:
    """Whether a link only repeats a preference, as an open phrase or under a relation of liking."""
    overlap = link.object.start < preference.value.end and preference.value.start < link.object.end
    return overlap and (not link.relation or link.relation in _LIKINGS | {"requested", "wants"})


# A relation, the kinds of its ends, and the relation that it is between such ends. Who works for a law firm practises there,
# beside which one may have an employer, so neither ends the other; the person to whom a customer is assigned is its account
# manager, however that is told, so each ends the one before.
_NARROWER: Final = (
    ("works_for", PERSON, "law_firm", "practises_at"),
    ("assigned_to", ORGANISATION, PERSON, "has_account_manager"),
)


def _narrowed(relation: str, subject: Named, object_: Named, ontology: Ontology) -> str:
    """The relation, or the one that it is between ends of these kinds."""
    for broad, first, second, narrow in _NARROWER:
        if relation == broad and ontology.is_a(subject.type, first) and ontology.is_a(object_.type, second):
            return narrow
    return relation


def _end(mention: Mention) -> Named | None:
    """The end as a candidate names it; None for a pronoun that nothing explains. "I" stays, for the reader may know who."""
    if not mention.pronoun:
        return mention.named()
    if mention.same_as:
        return Named(name=mention.same_as, type=mention.type)  # "I" is no spelling of anybody's name
    return Named(name=mention.text, type=PERSON) if mention.text.casefold() in ("i", "me", "my", "我", "本人") else None


def _final_types(mentions: Sequence[Mention], links: Sequence[Link]) -> Iterator[Mention]:
    """Mentions with the types that the relations gave them."""
    better: Mapping[int, str] = {
        end.start: end.type
        for link in links
        if link.relation
        for end in (link.subject, link.object)
        if end.type and end.start >= 0
    }
    for mention in mentions:
        type_ = better.get(mention.start)
        yield replace(mention, type=type_) if type_ and not mention.sure else mention


__all__ = ["RuleExtractor", "Says"]
