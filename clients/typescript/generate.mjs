// Writes what the OpenAPI document says as TypeScript: `node generate.mjs openapi.json src/generated`.
//
// `schema.ts` has the types of every call, made by openapi-typescript. `operations.ts` names the calls that may be tried
// again after a connection broke: reads, and writes whose answer the service keeps for an idempotency key.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";

const NOTE = "// Written by generate.mjs from the OpenAPI document; not to be changed by hand.\n";
const READS = new Set(["recall", "context", "trim", "explain", "extract"]);
const METHODS = ["get", "post", "put", "patch", "delete"];

function isRepeatable(method, operation) {
  const parameters = operation.parameters ?? [];
  const isKept = parameters.some((one) => one.in === "header" && one.name === "Idempotency-Key");
  return method === "get" || READS.has(operation["x-muniment-verb"]) || isKept;
}

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error("usage: node generate.mjs OPENAPI_JSON FOLDER");
const document = JSON.parse(await readFile(from, "utf8"));
const repeatable = [];
const problem = {
  description: "What is wrong.",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};
for (const [path, item] of Object.entries(document.paths)) {
  for (const method of METHODS) {
    const operation = item[method];
    if (!operation) continue;
    if (isRepeatable(method, operation)) repeatable.push(`${method.toUpperCase()} ${path}`);
    // Every problem has the same shape, so one line stands for all of them.
    const good = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
    operation.responses = { ...Object.fromEntries(good), default: problem };
  }
}
const types = astToString(await openapiTS(document, { alphabetize: true, immutable: false, defaultNonNullable: false }));
const list = repeatable.sort().map((one) => `  ${JSON.stringify(one)},\n`);
await mkdir(to, { recursive: true });
await writeFile(join(to, "schema.ts"), NOTE + types);
await writeFile(
  join(to, "operations.ts"),
  `${NOTE}\n/** Calls that may be done again: it changes nothing more. */\nexport const REPEATABLE: ReadonlySet<string> = new Set([\n${list.join("")}]);\n`,
);
