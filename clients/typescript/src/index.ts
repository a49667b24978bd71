import createClient, { type Client } from "openapi-fetch";
import { MunimentError, errorOf } from "./errors.js";
import type { components, paths } from "./generated/schema.js";
import { type RetryPolicy, retryingFetch } from "./retrying.js";

export { MunimentError, type Problem } from "./errors.js";
export type { RetryPolicy } from "./retrying.js";
export type { components, paths } from "./generated/schema.js";

/** Every shape of the service by its name in the OpenAPI document. */
export type Schemas = components["schemas"];
export type Episode = Schemas["EpisodeOut"];
export type EpisodeIn = Schemas["EpisodeIn"];
export type Fact = Schemas["FactOut"];
export type FactIn = Schemas["FactIn"];
export type Entity = Schemas["EntityOut"];
export type Hit = Schemas["HitOut"];
export type Receipt = Schemas["ReceiptOut"];
export type Job = Schemas["JobOut"];
export type Key = Schemas["KeyOut"];
export type Tenant = Schemas["TenantOut"];
export type Recall = Schemas["RecallOut"];
export type Context = Schemas["ContextOut"];

export interface Options {
  /** Where the service is: `https://memory.example`, `http://127.0.0.1:8377`. */
  url: string;
  /** `mk_…`; it says tenant, role and walls. */
  key: string;
  /** Checked by the service against the key's own tenant. */
  tenant?: string;
  /** Bounds each try. */
  timeoutMs?: number;
  retry?: Partial<RetryPolicy>;
  /** What sends a request; the platform's own `fetch` where absent. */
  fetch?: (request: Request) => Promise<Response>;
}

/** What a read may wait for: a receipt, a job, or the `token` of either. */
export type Token = string | Pick<Receipt, "token"> | Pick<Job, "token">;

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}
type Query<Path extends keyof paths, Method extends "get" | "post" = "get"> =
  paths[Path] extends Record<Method, { parameters: { query?: infer Found } }> ? NonNullable<Found> : never;
type Answer = Promise<{ data?: unknown; error?: unknown; response: Response }>;
type Data<Told extends Answer> = Exclude<Awaited<Told>["data"], undefined>;
interface Why {
  reason?: string;
  dry_run?: boolean;
}

const RETRY: RetryPolicy = { attempts: 5, firstPauseMs: 200, longestPauseMs: 30_000 };
const READ_AFTER = "X-Muniment-Read-After";

/**
 * A tenant's memory on a server. Every verb gives what the service answers, or throws a `MunimentError` with its `code`.
 * What has no verb here is called over `http`, which knows every path and shape of the service.
 */
export class MunimentClient {
  readonly #http: Client<paths>;
  readonly #url: string;

  constructor(options: Options) {
    const url = new URL(options.url);
    if (!/^https?:$/.test(url.protocol) || url.username || url.password) {
      throw new MunimentError("invalid", 0, "url is not that of a server: use https://host[:port], the key apart");
    }
    if (!/^\S+$/.test(options.key)) throw new MunimentError("invalid", 0, "key is empty or no key");
    const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));
    this.#url = options.url.replace(/\/+$/, "");
    this.#http = createClient<paths>({
      baseUrl: this.#url,
      fetch: retryingFetch(send, { ...RETRY, ...options.retry }, options.timeoutMs ?? 60_000),
      headers: { Authorization: `Bearer ${options.key}`, ...(options.tenant ? { "X-Muniment-Tenant": options.tenant } : {}) },
      querySerializer: { array: { style: "form", explode: true } },
    });
  }

  toString(): string {
    return `MunimentClient(${this.#url})`;
  }

  /** Every call of the service, typed by the OpenAPI document; it answers `{ data, error, response }` and does not throw. */
  get http(): Client<paths> {
    return this.#http;
  }

  // -- keeping

  remember(episodes: EpisodeIn[], options: Omit<Partial<Schemas["RememberIn"]>, "episodes"> = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/episodes", { body: { ...options, episodes } }));
  }

  assertFacts(facts: FactIn[], options: Pick<Why, "dry_run"> = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/facts", { body: { ...options, facts } }));
  }

  extract(episodes: EpisodeIn[]): Promise<Schemas["ExtractOut"]> {
    return told(this.#http.POST("/v1/extract", { body: { episodes } }));
  }

  applyCommands(commands: Schemas["CommandsIn"]): Promise<Receipt> {
    return told(this.#http.POST("/v1/commands", { body: commands }));
  }

  recordOutcome(skillId: string, ok: boolean, why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/skills/{id}/outcomes", { params: { path: { id: skillId } }, body: { ...why, ok } }));
  }

  // -- asking

  recall(query: string, options: Omit<Partial<Schemas["RecordsIn"]>, "query"> & { readAfter?: Token } = {}): Promise<Recall> {
    const { readAfter, ...asked } = options;
    return told(this.#http.POST("/v1/recall", { body: { ...asked, query }, headers: after(readAfter) }));
  }

  context(query: string, options: Omit<Partial<Schemas["ContextIn"]>, "query"> & { readAfter?: Token } = {}): Promise<Context> {
    const { readAfter, ...asked } = options;
    return told(this.#http.POST("/v1/context", { body: { ...asked, query }, headers: after(readAfter) }));
  }

  trim(given: Schemas["TrimIn"]): Promise<Schemas["TrimOut"]> {
    return told(this.#http.POST("/v1/trim", { body: given }));
  }

  explain(traceId: string): Promise<Schemas["TraceOut"]> {
    return told(this.#http.GET("/v1/traces/{id}", { params: { path: { id: traceId } } }));
  }

  /** What stopped one memory from being a hit of an earlier answer. */
  whyNot(traceId: string, memoryId: string): Promise<Schemas["WhyNotOut"]> {
    const path = { id: traceId, memory_id: memoryId };
    return told(this.#http.GET("/v1/traces/{id}/why-not/{memory_id}", { params: { path } }));
  }

  /** An earlier answer given once more, and what differs. */
  replay(traceId: string): Promise<Schemas["ReplayOut"]> {
    return told(this.#http.GET("/v1/traces/{id}/replay", { params: { path: { id: traceId } } }));
  }

  /** Resolves once what a receipt or job stands for can be read. Throws `not_yet_readable` past the time, `conflict` where its job failed. */
  async waitFor(token: Token, options: { timeoutMs?: number } = {}): Promise<void> {
    const until = Date.now() + (options.timeoutMs ?? 10_000);
    for (;;) {
      try {
        await told(this.#http.GET("/v1/episodes", { params: { query: { limit: 1 } }, headers: after(token) }));
        return;
      } catch (error) {
        if (!(error instanceof MunimentError && error.code === "not_yet_readable") || Date.now() >= until) throw error;
      }
    }
  }

  // -- looking around

  episode(id: string, query: Query<"/v1/episodes/{id}"> = {}): Promise<Episode> {
    return told(this.#http.GET("/v1/episodes/{id}", { params: { path: { id }, query } }));
  }

  episodes(query: Query<"/v1/episodes"> = {}): Promise<Page<Episode>> {
    return told(this.#http.GET("/v1/episodes", { params: { query } }));
  }

  fact(id: string, query: Query<"/v1/facts/{id}"> = {}): Promise<Fact> {
    return told(this.#http.GET("/v1/facts/{id}", { params: { path: { id }, query } }));
  }

  facts(query: Query<"/v1/facts"> = {}): Promise<Page<Fact>> {
    return told(this.#http.GET("/v1/facts", { params: { query } }));
  }

  preferences(query: Query<"/v1/preferences"> = {}): Promise<Page<Fact>> {
    return told(this.#http.GET("/v1/preferences", { params: { query } }));
  }

  skills(query: Query<"/v1/skills"> = {}): Promise<Page<Fact>> {
    return told(this.#http.GET("/v1/skills", { params: { query } }));
  }

  history(factId: string): Promise<Schemas["HistoryOut"]> {
    return told(this.#http.GET("/v1/facts/{id}/history", { params: { path: { id: factId } } }));
  }

  entity(id: string, query: Query<"/v1/entities/{id}"> = {}): Promise<Entity> {
    return told(this.#http.GET("/v1/entities/{id}", { params: { path: { id }, query } }));
  }

  entities(query: Query<"/v1/entities"> = {}): Promise<Page<Entity>> {
    return told(this.#http.GET("/v1/entities", { params: { query } }));
  }

  neighbourhood(ids: string[], query: Omit<Query<"/v1/graph/neighbourhood">, "id"> = {}): Promise<Schemas["NeighbourhoodOut"]> {
    return told(this.#http.GET("/v1/graph/neighbourhood", { params: { query: { ...query, id: ids } } }));
  }

  paths(a: string, b: string, query: Omit<Query<"/v1/graph/paths">, "a" | "b"> = {}): Promise<Schemas["PathsOut"]> {
    return told(this.#http.GET("/v1/graph/paths", { params: { query: { ...query, a, b } } }));
  }

  ontology(): Promise<Schemas["OntologyOut"]> {
    return told(this.#http.GET("/v1/ontology"));
  }

  /** All items of a list, page after page: `for await (const fact of memory.every((q) => memory.facts({ ...q, subject })))`. */
  async *every<Item>(page: (query: { cursor?: string }) => Promise<Page<Item>>): AsyncGenerator<Item, void> {
    let cursor: string | null | undefined;
    do {
      const found: Page<Item> = await page(cursor ? { cursor } : {});
      yield* found.items;
      cursor = found.next_cursor;
    } while (cursor);
  }

  // -- changing what is held true

  setOntology(overlay: Schemas["OntologyIn"], query: Why = {}): Promise<Receipt> {
    return told(this.#http.PUT("/v1/ontology", { params: { query }, body: overlay }));
  }

  retract(id: string, why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/facts/{id}/retract", { params: { path: { id } }, body: why }));
  }

  end(factId: string, at?: string, why: Why = {}): Promise<Receipt> {
    const body = at === undefined ? why : { ...why, at };
    return told(this.#http.POST("/v1/facts/{id}/end", { params: { path: { id: factId } }, body }));
  }

  correct(factId: string, right: Schemas["CorrectIn"]): Promise<Receipt> {
    return told(this.#http.POST("/v1/facts/{id}/correct", { params: { path: { id: factId } }, body: right }));
  }

  reject(factId: string, why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/facts/{id}/reject", { params: { path: { id: factId } }, body: why }));
  }

  pin(id: string, why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/facts/{id}/pin", { params: { path: { id } }, body: why }));
  }

  unpin(id: string, why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/facts/{id}/unpin", { params: { path: { id } }, body: why }));
  }

  merge(ids: string[], why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/merges", { body: { ...why, ids } }));
  }

  unmerge(mergeId: string, query: Why = {}): Promise<Receipt> {
    return told(this.#http.DELETE("/v1/merges/{id}", { params: { path: { id: mergeId }, query } }));
  }

  forbidMerge(a: string, b: string, why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/merges/forbidden", { body: { ...why, a, b } }));
  }

  reviews(query: Query<"/v1/reviews"> = {}): Promise<Page<Schemas["ReviewOut"]>> {
    return told(this.#http.GET("/v1/reviews", { params: { query } }));
  }

  resolveReview(id: string, choice: string, why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/reviews/{id}", { params: { path: { id } }, body: { ...why, choice } }));
  }

  receipt(id: string): Promise<Receipt> {
    return told(this.#http.GET("/v1/receipts/{id}", { params: { path: { id } } }));
  }

  undo(receiptId: string, why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/receipts/{id}/undo", { params: { path: { id: receiptId } }, body: why }));
  }

  // -- hiding and erasing

  forget(ids: string[], why: Why = {}): Promise<Receipt> {
    return told(this.#http.POST("/v1/forget", { body: { ...why, ids } }));
  }

  purge(scope: Schemas["EraseScopeIn"], options: Why & { when_released?: boolean } = {}): Promise<Schemas["CertificateOut"]> {
    return told(this.#http.POST("/v1/purge", { body: { when_released: false, ...options, scope } }));
  }

  hold(scope: Schemas["EraseScopeIn"], reason: string): Promise<Schemas["HoldOut"]> {
    return told(this.#http.POST("/v1/holds", { body: { scope, reason } }));
  }

  holds(query: Query<"/v1/holds"> = {}): Promise<Page<Schemas["HoldOut"]>> {
    return told(this.#http.GET("/v1/holds", { params: { query } }));
  }

  certificates(query: Query<"/v1/certificates"> = {}): Promise<Page<Schemas["CertificateOut"]>> {
    return told(this.#http.GET("/v1/certificates", { params: { query } }));
  }

  release(holdId: string, query: Why = {}): Promise<Schemas["ReleasedOut"]> {
    return told(this.#http.DELETE("/v1/holds/{id}", { params: { path: { id: holdId }, query } }));
  }

  // -- administration

  jobs(query: Query<"/v1/jobs"> = {}): Promise<Page<Job>> {
    return told(this.#http.GET("/v1/jobs", { params: { query } }));
  }

  job(id: string): Promise<Job> {
    return told(this.#http.GET("/v1/jobs/{id}", { params: { path: { id } } }));
  }

  retryJob(id: string): Promise<Job> {
    return told(this.#http.POST("/v1/jobs/{id}/retry", { params: { path: { id } } }));
  }

  cancelJob(id: string): Promise<Job> {
    return told(this.#http.POST("/v1/jobs/{id}/cancel", { params: { path: { id } } }));
  }

  /** A tenant's data, line by line: a header, then all else. What stands behind walls that the key does not see is left out. */
  async *export(query: Query<"/v1/export"> = {}): AsyncGenerator<Record<string, unknown>, void> {
    const { data, error, response } = await this.#http.GET("/v1/export", { params: { query }, parseAs: "stream" });
    if (!response.ok) throw errorOf(response, error);
    yield* jsonLines(data as ReadableStream<Uint8Array>);
  }

  /** Takes in what an export gave, as its lines or their records. The same lines again change nothing. */
  async import(lines: Iterable<unknown> | AsyncIterable<unknown>, query: Query<"/v1/import", "post"> = {}): Promise<Schemas["ImportedOut"]> {
    const body: string[] = [];
    for await (const line of lines) body.push(typeof line === "string" ? line.trimEnd() : JSON.stringify(line));
    const options = {
      params: { query },
      body: body.join("\n"),
      bodySerializer: (text: string) => text,
      headers: { "Content-Type": "application/x-ndjson" },
    };
    return told(this.#http.POST("/v1/import", options));
  }

  audit(query: Query<"/v1/audit"> = {}): Promise<Page<Schemas["AuditEntryOut"]>> {
    return told(this.#http.GET("/v1/audit", { params: { query } }));
  }

  verifyAudit(): Promise<Schemas["AuditCheckOut"]> {
    return told(this.#http.GET("/v1/audit/verify"));
  }

  // -- keys, and for an operator tenants

  /** The key's text is in this one answer. `tenant` is for operators. */
  createKey(grant: Omit<Schemas["KeyIn"], "walls"> & { walls?: string[] }): Promise<Schemas["NewKeyOut"]> {
    return told(this.#http.POST("/v1/keys", { body: { walls: [], ...grant } }));
  }

  keys(query: Query<"/v1/keys"> = {}): Promise<Page<Key>> {
    return told(this.#http.GET("/v1/keys", { params: { query } }));
  }

  key(id: string): Promise<Key> {
    return told(this.#http.GET("/v1/keys/{id}", { params: { path: { id } } }));
  }

  revokeKey(id: string): Promise<Key> {
    return told(this.#http.DELETE("/v1/keys/{id}", { params: { path: { id } } }));
  }

  /** A new key for an old one, which goes on working for the overlap. */
  rotateKey(id: string, overlapS = 3600): Promise<Schemas["NewKeyOut"]> {
    return told(this.#http.POST("/v1/keys/{id}/rotate", { params: { path: { id } }, body: { overlap_s: overlapS } }));
  }

  createTenant(name: string): Promise<Tenant> {
    return told(this.#http.POST("/v1/tenants", { body: { name } }));
  }

  tenants(query: Query<"/v1/tenants"> = {}): Promise<Page<Tenant>> {
    return told(this.#http.GET("/v1/tenants", { params: { query } }));
  }

  tenant(name: string): Promise<Tenant> {
    return told(this.#http.GET("/v1/tenants/{name}", { params: { path: { name } } }));
  }

  /** Null takes a setting back to the default, what is left out stays. */
  setTenant(name: string, settings: Schemas["TenantSettingsIn"]): Promise<Tenant> {
    return told(this.#http.PATCH("/v1/tenants/{name}", { params: { path: { name } }, body: settings }));
  }

  /** The key's own tenant, with its settings. */
  settings(): Promise<Tenant> {
    return told(this.#http.GET("/v1/settings"));
  }

  setSettings(settings: Schemas["TenantSettingsIn"]): Promise<Tenant> {
    return told(this.#http.PATCH("/v1/settings", { body: settings }));
  }

  /** What a language model cost by day, newest first; `tenant` is for operators. */
  modelUse(options: { tenant?: string; days?: number; cursor?: string } = {}): Promise<Page<Schemas["DayOfUseOut"]>> {
    const { tenant: name, ...query } = options;
    if (name === undefined) return told(this.#http.GET("/v1/model-use", { params: { query } }));
    return told(this.#http.GET("/v1/tenants/{name}/model-use", { params: { path: { name }, query } }));
  }

  createWebhook(webhook: Schemas["WebhookIn"]): Promise<Schemas["NewWebhookOut"]> {
    return told(this.#http.POST("/v1/webhooks", { body: webhook }));
  }

  webhooks(query: Query<"/v1/webhooks"> = {}): Promise<Page<Schemas["WebhookOut"]>> {
    return told(this.#http.GET("/v1/webhooks", { params: { query } }));
  }

  deleteWebhook(id: string): Promise<Schemas["WebhookOut"]> {
    return told(this.#http.DELETE("/v1/webhooks/{id}", { params: { path: { id } } }));
  }
}

async function* jsonLines(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Record<string, unknown>, void> {
  const reader = bytes.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ?? "")).split("\n");
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) if (line) yield JSON.parse(line) as Record<string, unknown>;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined); // a caller that stops early does not read the rest
  }
}

function after(token: Token | undefined): Record<string, string> {
  const text = typeof token === "object" ? token.token : token;
  return text ? { [READ_AFTER]: text } : {};
}

async function told<Told extends Answer>(asked: Told): Promise<Data<Told>> {
  const { data, error, response } = await asked;
  if (!response.ok) throw errorOf(response, error);
  return data as Data<Told>;
}
