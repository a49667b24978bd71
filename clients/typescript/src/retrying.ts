import { MunimentError, retryAfterMs } from "./errors.js";
import { REPEATABLE } from "./generated/operations.js";

export interface RetryPolicy {
  /** How often to try at most, the first try included. */
  attempts: number;
  /** Pauses double from this one, each shortened by chance so that callers spread. */
  firstPauseMs: number;
  /** A longer `Retry-After` is told to the caller at once. */
  longestPauseMs: number;
}

const NOT_DONE = new Set([429, 503]); // the service says that nothing was done
const MAYBE_DONE = new Set([502, 504]); // a proxy does not know
const FINAL = new Set(["not_yet_readable", "model_unavailable"]); // time alone does not mend these
const PATTERNS = [...REPEATABLE].map((call) => {
  const [method, path] = call.split(" ") as [string, string];
  return { method, path: new RegExp(`${path.replace(/\{[^}]+\}/g, "[^/]+")}$`) };
});

/**
 * A `fetch` that tries again what the service surely did not do, and after a broken connection what cannot be done twice.
 * A write carries one idempotency key over all its tries.
 */
export function retryingFetch(
  send: (request: Request) => Promise<Response>,
  policy: RetryPolicy,
  timeoutMs: number,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== "GET" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", `ts-${crypto.randomUUID()}`);
    }
    const repeats = isRepeatable(request);
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= policy.attempts;
      let wait: number | null = null;
      try {
        const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
        const response = await send(new Request(request.clone(), { signal }));
        wait = retryAfterMs(response);
        if (isLast || (wait ?? 0) > policy.longestPauseMs || !(await mayRepeat(response, repeats, wait))) return response;
        await response.body?.cancel();
      } catch (cause) {
        if (request.signal.aborted) throw cause;
        if (isLast || !(repeats || wasNeverSent(cause))) throw unreachable(cause);
      }
      await pause(policy, attempt, wait);
    }
  };
}

function isRepeatable(request: Request): boolean {
  const path = new URL(request.url).pathname;
  return PATTERNS.some((one) => one.method === request.method && one.path.test(path));
}

async function mayRepeat(response: Response, repeats: boolean, wait: number | null): Promise<boolean> {
  if (NOT_DONE.has(response.status)) {
    const body: unknown = await response.clone().json().catch(() => null);
    return !FINAL.has((body as { code?: string } | null)?.code ?? "");
  }
  if (response.status === 409) return wait !== null; // the same request is under way, and its answer will be kept
  return MAYBE_DONE.has(response.status) && repeats;
}

function wasNeverSent(cause: unknown): boolean {
  const code = ((cause as Error).cause as { code?: string } | undefined)?.code;
  return code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "UND_ERR_CONNECT_TIMEOUT";
}

function unreachable(cause: unknown): MunimentError {
  const known = wasNeverSent(cause) ? "nothing was done" : "whether a write was done is not known";
  return new MunimentError("unavailable", 0, `the server did not answer; ${known}`, null, null, { cause });
}

async function pause(policy: RetryPolicy, attempt: number, wait: number | null): Promise<void> {
  const ceiling = Math.min(policy.longestPauseMs, policy.firstPauseMs * 2 ** (attempt - 1));
  const ms = Math.max(ceiling * (0.5 + Math.random() / 2), wait ?? 0);
  await new Promise((done) => setTimeout(done, ms));
}
