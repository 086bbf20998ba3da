import { expect, it } from "vitest";
import { interfacesOf } from "../../src/contracts/interfaces.ts";
import { families } from "../../src/contracts/registry.ts";
import { parseHash } from "../../src/model/Hash.ts";
import { methodId } from "../../src/model/vm/methodId.ts";

const interfaces = families.flatMap((family) => family.interfaces);

const strange = parseHash("ab".repeat(32));
const ids = (...methods: string[]) => methods.map(methodId);

it("names a listed code by its entry, and nothing else", () => {
  const codeHash = parseHash("hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=");
  expect(interfacesOf({ codeHash, methods: ids("get_jetton_data", "get_wallet_address") })).toEqual(["wallet_v3r2"]);
  expect(interfacesOf({ codeHash, methods: undefined })).toEqual(["wallet_v3r2"]);
});

it("names any other code by all entries whose methods it has, sorted", () => {
  const methods = ids("get_sale_data", "get_wallet_data", "get_jetton_data", "get_wallet_address");
  expect(interfacesOf({ codeHash: strange, methods })).toEqual([
    "jetton_master",
    "jetton_wallet",
    "nft_auction_v1",
    "nft_sale",
  ]);
  expect(interfacesOf({ codeHash: strange, methods: ids("get_jetton_data") })).toEqual([]);
});

it("names nothing for unknown code", () => {
  expect(interfacesOf({ codeHash: undefined, methods: undefined })).toEqual([]);
  expect(interfacesOf({ codeHash: strange, methods: [] })).toEqual([]);
});

it("has every name once and no duplicate method in an entry", () => {
  expect(new Set(interfaces.map(({ name }) => name)).size).toBe(interfaces.length);
  for (const { name, methodIds } of interfaces)
    expect({ name, count: new Set(methodIds).size }).toEqual({ name, count: methodIds.length });
});

it("lists every code once, so that the order of families does not matter", () => {
  const codes = interfaces.flatMap((each) => each.codes);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});
