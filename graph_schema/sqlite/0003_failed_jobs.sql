-- How many jobs failed lately is asked at each look at the service's health.
CREATE INDEX jobs_failed ON jobs (due_at) WHERE state = 'failed';
