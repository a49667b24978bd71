"""Work that must survive a crash: the outbox and its worker."""
