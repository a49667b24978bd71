"""Bearer tokens of an identity provider (OpenID Connect), beside our own keys."""
