"""Telling others what happened to a tenant: subscriptions, events, signed deliveries. Ids and counts, never memories."""
