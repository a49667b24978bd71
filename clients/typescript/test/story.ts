// A story told to a real server; run by tests/api/client/test_typescript.py with the server's URL, keys of two tenants and of an operator, and a URL where nobody is.
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { MunimentClient, MunimentError } from "../src/index.js";

const [url, key, othersKey, operatorsKey, nobodysUrl] = process.argv.slice(2) as [string, string, string, string, string];
const memory = new MunimentClient({ url, key, retry: { firstPauseMs: 5 } });

async function refused(asked: Promise<unknown>): Promise<MunimentError> {
  try {
    await asked;
  } catch (error) {
    assert(error instanceof MunimentError, inspect(error));
    return error;
  }
  throw new assert.AssertionError({ message: "it was not refused" });
}

// The server answers the first call with 503 and the second with 429: the write is tried again and done once.
const told = await memory.remember([
  { text: "Ana Ruiz reports to Tom Berg.", kind: "note", occurred_at: "2026-01-10T09:00:00Z", external_id: "n-1" },
]);
assert.equal(told.episodes.length, 1);
const facts = [
  { subject: { name: "Tom Berg", type: "person" }, relation: "lives_in", object: { name: "Oslo" }, valid_at: "2025-01-01T00:00:00Z" },
  { subject: { name: "Tom Berg", type: "person" }, relation: "lives_in", object: { name: "Bergen" }, valid_at: "2026-06-01T00:00:00Z" },
];
const written = await memory.assertFacts(facts);

const found = await memory.recall("Where does Tom Berg live?", { as_of: "2026-03-01T00:00:00Z", kinds: ["fact"], readAfter: written });
assert.match(found.hits[0]?.text ?? "", /Oslo/);
assert.equal((await memory.context("Tom Berg", { budget_tokens: 200 })).sections.length > 0, true);

const seen: string[] = [];
for await (const fact of memory.every((query) => memory.facts({ ...query, subject: "Tom Berg", include_superseded: true, limit: 1 }))) {
  seen.push("name" in fact.object ? String(fact.object.name) : "");
}
assert.deepEqual(seen.sort(), ["Bergen", "Oslo"]);

const [bergen] = (await memory.facts({ subject: "Tom Berg", relation: "lives_in" })).items;
assert(bergen);
assert.equal((await memory.history(bergen.id)).rivals.length, 1);
const ended = await memory.end(bergen.id, "2026-09-01T00:00:00Z", { reason: "moved on" });
assert.deepEqual(ended.changes.map((change) => change.action), ["closed"]);
await memory.undo(ended.id);
assert.equal((await memory.fact(bergen.id)).invalid_at, null);

const missing = await refused(memory.fact("f_0"));
assert.deepEqual([missing.code, missing.status], ["not_found", 404]);
assert.match(missing.requestId, /./);
assert.equal((await refused(memory.undo(ended.id))).code, "conflict");
assert.equal((await refused(memory.recall(" "))).code, "invalid");
assert.equal((await refused(new MunimentClient({ url, key: othersKey }).fact(bergen.id))).code, "not_found");
assert.equal((await refused(new MunimentClient({ url, key, tenant: "somebody-else" }).facts())).code, "forbidden");
assert.equal((await refused(new MunimentClient({ url, key: "mk_1_2" }).facts())).code, "unauthenticated");
const nobody = new MunimentClient({ url: nobodysUrl, key, retry: { attempts: 2, firstPauseMs: 1 } });
const silent = await refused(nobody.remember([]));
assert.deepEqual([silent.code, silent.status], ["unavailable", 0]);
assert.match(silent.message, /nothing was done/);

const made = await memory.createKey({ role: "reader", name: "a bot" });
const reader = new MunimentClient({ url, key: made.key });
assert.equal((await reader.facts()).items.length > 0, true);
assert.equal((await refused(reader.keys())).code, "forbidden");
const turned = await memory.rotateKey(made.id, 60);
assert.notEqual((await memory.key(made.id)).expires_at, null);
assert.notEqual((await memory.revokeKey(turned.id)).revoked_at, null);
assert.equal((await refused(new MunimentClient({ url, key: turned.key }).facts())).code, "unauthenticated");
assert.deepEqual((await memory.keys()).items.map((one) => one.role), ["admin", "reader", "reader"]);
assert.deepEqual((await memory.modelUse()).items, []);
assert.deepEqual((await memory.setSettings({ language_model: false })).settings, (await memory.settings()).settings);
assert.equal((await refused(memory.tenants())).code, "forbidden");
const operator = new MunimentClient({ url, key: operatorsKey });
assert.equal((await operator.createTenant("umbrella")).name, "umbrella");
assert.deepEqual((await operator.setTenant("umbrella", { log_only: true })).settings, { log_only: true });
assert.equal((await operator.tenants()).items.some((one) => one.name === "umbrella"), true);
assert.deepEqual((await operator.modelUse({ tenant: "umbrella", days: 7 })).items, []);
assert.equal((await refused(operator.export().next())).code, "forbidden");

const lines: Record<string, unknown>[] = [];
for await (const line of memory.export()) lines.push(line);
const other = new MunimentClient({ url, key: othersKey });
const tried = await other.import(lines, { dry_run: true });
assert.deepEqual((await other.facts()).items, []);
const taken = await other.import(lines, { reason: "moved house" });
assert.deepEqual([taken.lines, taken.complete, tried.created], [lines.length, true, taken.created]);
assert.equal((await other.facts()).items.length, (await memory.facts()).items.length);
for await (const _ of memory.export()) break; // the rest is not read

const later = await memory.remember([{ text: "Tom Berg likes tea.", kind: "note", occurred_at: "2026-02-01T09:00:00Z" }], { mode: "async" });
assert.equal((await refused(memory.waitFor(later, { timeoutMs: 1 }))).code, "not_yet_readable");
const secret = key.split("_").at(-1) ?? "";
assert(!`${memory} ${inspect(memory, { depth: 9, showHidden: true })} ${JSON.stringify(memory)}`.includes(secret));
console.log(JSON.stringify({ episode: told.episodes[0]?.id, facts: written.changes.length }));
