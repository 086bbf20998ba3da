import { join } from "node:path";
import { expect, it } from "vitest";
import { formatClientTypes } from "../../scripts/clientTypes.ts";
import { typeVersions } from "../../src/contracts/engine/declareFamily.ts";
import { families } from "../../src/contracts/registry.ts";

const types = await formatClientTypes(join(import.meta.dirname, "../.."));
const [, details = ""] =
  /^export interface ActionDetails \{\n(.*?)^\}/ms.exec(String(types["api/client/v3Client.d.ts"])) ?? [];

it("declares the details of every type of action that a client may name", () => {
  const declared = new Set([...details.matchAll(/^ {2}"(\w+)": \{/gm)].map(([, type]) => type));
  const named = families.flatMap(({ types }) => typeVersions.flatMap((version) => types[version] ?? []));
  expect(named).toContain("ton_transfer");
  expect(named.filter((type) => !declared.has(type))).toEqual([]);
  expect(["root", "empty"].filter((type) => declared.has(type))).toEqual([]);
});

it.each([
  ["dex_deposit_liquidity", "dex", ["coffee", "dedust", "dedust_v2", "stonfi_v2", "tonco"]],
  ["dex_withdraw_liquidity", "dex", ["coffee", "dedust", "dedust_v2", "stonfi_v2", "tonco"]],
  ["stake_deposit", "provider", ["ethena", "liquid_staking", "nominator"]],
  ["stake_withdrawal", "provider", ["liquid_staking", "nominator"]],
  ["stake_withdrawal_request", "provider", ["ethena", "liquid_staking", "nominator"]],
])("declares the details of %s for every service that has it", (type, field, names) => {
  const [, ofType = ""] = new RegExp(`^  "${type}": (.*?)^  \\};`, "ms").exec(details) ?? [];
  const declared = [...ofType.matchAll(new RegExp(`readonly ${field}: "(\\w+)";`, "g"))].map(([, name]) => name);
  expect(declared.toSorted()).toEqual(names);
});
