import { MunimentClient, MunimentError } from "muniment-client";

const memory = new MunimentClient({ url: process.env.URL ?? "", key: process.env.KEY ?? "" });

const receipt = await memory.remember([
  { kind: "note", occurred_at: "2026-07-01T08:00:00Z", text: "Ana Ruiz works for Borealis." },
]);
const found = await memory.recall("Where does Ana Ruiz work?", { limit: 3, readAfter: receipt });
for (const hit of found.hits) console.log(hit.text, hit.score);
for await (const fact of memory.every((query) => memory.facts({ ...query, subject: "Ana Ruiz" }))) {
  console.log(fact.relation, fact.object);
}
try {
  await memory.fact("f_unknown");
} catch (error) {
  if (!(error instanceof MunimentError && error.code === "not_found")) throw error;
}
