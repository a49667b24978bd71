-- By which writes an assertion was withdrawn and counted again: a JSON list of receipts, in turn.
ALTER TABLE assertions ADD COLUMN turned_by TEXT NOT NULL DEFAULT '[]';
