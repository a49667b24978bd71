import type { components } from "./generated/schema.js";

/** What the service answers when it refuses: RFC 9457, with a stable `code`. */
export type Problem = components["schemas"]["Problem"];

/** A refusal of the service, or its silence (`code` is then `unavailable` and `status` 0). */
export class MunimentError extends Error {
  override readonly name = "MunimentError";

  constructor(
    /** The stable word, such as `not_found`, `conflict`, `held`, `not_yet_readable`. */
    readonly code: string,
    readonly status: number,
    detail: string,
    /** The whole problem; null where something between answered. */
    readonly problem: Problem | null = null,
    /** How long to wait before the next try, where the service says so. */
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }

  get requestId(): string {
    return this.problem?.request_id ?? "";
  }
}

/** The error that an answer stands for. */
export function errorOf(response: Response, body: unknown): MunimentError {
  const wait = retryAfterMs(response);
  if (isProblem(body)) return new MunimentError(body.code, response.status, body.detail, body, wait);
  const code = response.status >= 500 ? "unavailable" : "internal";
  return new MunimentError(code, response.status, `the server answered ${response.status} and no problem of its own`, null, wait);
}

/** `Retry-After` as milliseconds; null where it is absent or neither a number nor a date. */
export function retryAfterMs(response: Response): number | null {
  const text = response.headers.get("Retry-After")?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max(0, moment - Date.now());
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && typeof (body as Problem).code === "string";
}
