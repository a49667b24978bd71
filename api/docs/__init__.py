"""The page `/docs`: every call to read and to try, drawn from the OpenAPI document, without anything from elsewhere."""
