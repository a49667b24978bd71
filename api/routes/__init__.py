"""The routes: each takes its input to one verb of the engine and its record back."""

from muniment.api.routes import browsing, changing, erasing, keys, meta, moving, reading, webhooks, writing

ROUTERS = (
    meta.router,
    writing.router,
    reading.router,
    browsing.router,
    changing.router,
    erasing.router,
    moving.router,
    keys.router,
    webhooks.router,
)
