-- Memories of all spaces, their evidence, indexes and jobs.
--
-- Every table starts its key with `space`. Times are UTC milliseconds; an open end is a number past every real moment, so
-- that filters compare integers only. JSON columns are ASCII. Texts escape NUL, lone surrogates and the backslash.
-- `changed` is the space's counter at the row's last write: by it the search image of a process catches up with others.

-- What holds for the whole database: `environment`, whose it is, and `counter_floor`, which no space's counter was above
-- when it was erased, so that a space made anew is not mistaken for its old self.
CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE spaces (
    space TEXT NOT NULL PRIMARY KEY,
    counter INTEGER NOT NULL,
    gone_floor INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE episodes (
    row INTEGER PRIMARY KEY, -- named, so that VACUUM keeps it
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    occurred_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    external_id TEXT,
    speaker TEXT NOT NULL,
    title TEXT NOT NULL,
    source TEXT NOT NULL,
    lang TEXT NOT NULL,
    thread TEXT NOT NULL,
    position INTEGER NOT NULL,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    wall TEXT NOT NULL,
    importance INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    archived INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    degraded TEXT NOT NULL,
    receipt TEXT NOT NULL,
    changed INTEGER NOT NULL,
    UNIQUE (space, id)
);
CREATE UNIQUE INDEX episodes_by_external_id ON episodes (space, external_id, wall) WHERE external_id IS NOT NULL;
CREATE INDEX episodes_by_recorded ON episodes (space, recorded_at, id);
CREATE INDEX episodes_by_thread ON episodes (space, thread, position, id) WHERE thread <> '';
CREATE INDEX episodes_by_changed ON episodes (space, changed);

CREATE TABLE entities (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    key TEXT NOT NULL,
    aliases TEXT NOT NULL,
    identifiers TEXT NOT NULL,
    summary TEXT NOT NULL,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    wall TEXT NOT NULL,
    merged_into TEXT,
    created_at INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    attributes TEXT NOT NULL,
    PRIMARY KEY (space, id)
);
CREATE UNIQUE INDEX entities_by_key ON entities (space, wall, type, key);
CREATE INDEX entities_by_created ON entities (space, created_at, id);

-- How an entity is looked up: `sort` alias (folded spelling) or identifier (`email:…`).
CREATE TABLE names (
    space TEXT NOT NULL,
    sort TEXT NOT NULL,
    key TEXT NOT NULL,
    entity TEXT NOT NULL,
    PRIMARY KEY (space, sort, key, entity),
    FOREIGN KEY (space, entity) REFERENCES entities (space, id)
) WITHOUT ROWID;
CREATE INDEX names_by_entity ON names (space, entity);

CREATE TABLE mentions (
    space TEXT NOT NULL,
    episode TEXT NOT NULL,
    entity TEXT NOT NULL,
    role TEXT NOT NULL,
    wall TEXT NOT NULL,
    PRIMARY KEY (space, episode, entity, role),
    FOREIGN KEY (space, episode) REFERENCES episodes (space, id),
    FOREIGN KEY (space, entity) REFERENCES entities (space, id)
) WITHOUT ROWID;
CREATE INDEX mentions_by_entity ON mentions (space, entity);

CREATE TABLE assertions (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    slot TEXT NOT NULL,
    claim TEXT NOT NULL,
    says TEXT NOT NULL,
    subject TEXT NOT NULL,
    relation TEXT NOT NULL,
    object TEXT NOT NULL,
    text TEXT NOT NULL,
    valid_from INTEGER,
    valid_to INTEGER,
    told_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    withdrawn_at INTEGER,
    confidence REAL NOT NULL,
    importance INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    episode TEXT,
    quote TEXT NOT NULL,
    quote_start INTEGER NOT NULL,
    quote_end INTEGER NOT NULL,
    rule TEXT NOT NULL,
    actor TEXT NOT NULL,
    receipt TEXT NOT NULL,
    place INTEGER NOT NULL,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    wall TEXT NOT NULL,
    attributes TEXT NOT NULL,
    PRIMARY KEY (space, id)
);
CREATE INDEX assertions_by_slot ON assertions (space, slot);
CREATE INDEX assertions_by_episode ON assertions (space, episode) WHERE episode IS NOT NULL;
CREATE INDEX assertions_by_receipt ON assertions (space, receipt) WHERE receipt <> '';
CREATE INDEX assertions_by_subject ON assertions (space, subject);
CREATE INDEX assertions_by_object ON assertions (space, object);

CREATE TABLE facts (
    row INTEGER PRIMARY KEY, -- named, so that VACUUM keeps it
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    slot TEXT NOT NULL,
    claim TEXT NOT NULL,
    subject TEXT NOT NULL,
    subject_name TEXT NOT NULL,
    subject_type TEXT NOT NULL,
    relation TEXT NOT NULL,
    object TEXT NOT NULL,
    object_name TEXT NOT NULL,
    object_type TEXT NOT NULL,
    text TEXT NOT NULL,
    valid_at INTEGER NOT NULL,
    invalid_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expired_at INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    confidence REAL NOT NULL,
    importance INTEGER NOT NULL,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    wall TEXT NOT NULL,
    evidence TEXT NOT NULL,
    assertions TEXT NOT NULL,
    closed_by TEXT NOT NULL,
    superseded_by TEXT,
    conflicts_with TEXT NOT NULL,
    attributes TEXT NOT NULL,
    changed INTEGER NOT NULL,
    UNIQUE (space, id, version),
    FOREIGN KEY (space, subject) REFERENCES entities (space, id),
    FOREIGN KEY (space, object) REFERENCES entities (space, id)
);
CREATE INDEX facts_by_slot ON facts (space, slot);
CREATE INDEX facts_by_subject ON facts (space, subject);
CREATE INDEX facts_by_object ON facts (space, object);
CREATE INDEX facts_by_created ON facts (space, created_at, id);
CREATE INDEX facts_by_changed ON facts (space, changed);

CREATE TABLE summaries (
    row INTEGER PRIMARY KEY, -- named, so that VACUUM keeps it
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    text TEXT NOT NULL,
    topic TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    covers TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    wall TEXT NOT NULL,
    archived INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    UNIQUE (space, id)
);
CREATE INDEX summaries_by_changed ON summaries (space, changed);

-- How a memory is found. A replaced entry gets a new `n`; numbers are never used again, so an image can append.
CREATE TABLE entries (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    space TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    wall TEXT NOT NULL,
    words TEXT NOT NULL,
    changed INTEGER NOT NULL,
    UNIQUE (space, kind, id)
);
CREATE INDEX entries_by_changed ON entries (space, changed);

-- (parts, dim) float32, little endian.
CREATE TABLE vectors (
    space TEXT NOT NULL,
    entry INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    dim INTEGER NOT NULL,
    parts BLOB NOT NULL,
    PRIMARY KEY (space, entry, fingerprint)
);

-- Which entries hold a term. A token is a hash of space and term: a look-up can meet no other tenant's rows, and
-- the index holds nobody's words.
CREATE VIRTUAL TABLE tokens USING fts5 (token, content = '', columnsize = 0, detail = none, tokenize = 'ascii');

-- What went since, for images that still hold it: an entry by its number, or (with `entry` null) a memory.
CREATE TABLE gone (
    space TEXT NOT NULL,
    changed INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    entry INTEGER
);
CREATE INDEX gone_by_changed ON gone (space, changed);

CREATE TABLE uses (
    space TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    wall TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (space, kind, id)
) WITHOUT ROWID;
CREATE INDEX uses_by_last ON uses (space, last_at);

CREATE TABLE documents (
    space TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    ref TEXT NOT NULL,
    status TEXT NOT NULL,
    seq INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (space, kind, id)
);
CREATE INDEX documents_by_seq ON documents (space, kind, seq, id);
CREATE INDEX documents_by_ref ON documents (space, kind, ref, seq, id);

CREATE TABLE jobs (
    space TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    owner TEXT NOT NULL,
    lease_until INTEGER,
    receipt TEXT,
    dedup_key TEXT NOT NULL,
    PRIMARY KEY (space, id)
);
CREATE INDEX jobs_by_dedup_key ON jobs (space, dedup_key) WHERE state = 'queued' AND dedup_key <> '';
CREATE INDEX jobs_due ON jobs (state, due_at) WHERE state IN ('queued', 'running');
