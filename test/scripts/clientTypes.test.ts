import { join } from "node:path";
import { expect, it } from "vitest";
import { formatClientTypes } from "../../scripts/clientTypes.ts";
import { typeVersions } from "../../src/contracts/engine/declareFamily.ts";
import { families } from "../../src/contracts/registry.ts";

it("declares the details of every type of action that a client may name", async () => {
  const types = await formatClientTypes(join(import.meta.dirname, "../.."));
  const [, details = ""] =
    /^export interface ActionDetails \{\n(.*?)^\}/ms.exec(String(types["api/client/v3Client.d.ts"])) ?? [];
  const declared = new Set([...details.matchAll(/^ {2}"(\w+)": \{/gm)].map(([, type]) => type));
  const named = families.flatMap(({ types }) => typeVersions.flatMap((version) => types[version] ?? []));
  expect(named).toContain("ton_transfer");
  expect(named.filter((type) => !declared.has(type))).toEqual([]);
  expect(["root", "empty"].filter((type) => declared.has(type))).toEqual([]);
});
