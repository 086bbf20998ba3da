import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AbiLibrary } from "../../src/contracts/AbiLibrary.ts";
import { AbiCodec } from "../../src/contracts/abi/AbiCodec.ts";
import { parseAbi } from "../../src/contracts/abi/parseAbi.ts";
import { families } from "../../src/contracts/registry.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { parseHash } from "../../src/model/Hash.ts";
import { abiFields } from "../kit/contracts/abiValues.ts";

const contracts = families.flatMap(({ interfaces, described }) => [...interfaces, ...described]);
const numRuns = 8;

describe.each(contracts.map(({ name, abi }) => ({ name, abi })))("the ABI of $name", ({ abi }) => {
  const codec = new AbiCodec(abi);

  it("is of the form", () => {
    const json = JSON.parse(JSON.stringify(abi));
    expect(parseAbi(json)).toEqual(json);
  });

  it("gives the same values after they were encoded", () => {
    for (const list of ["receives", "sends", "emits"] as const) {
      for (const { name, fields } of abi[list]) {
        const check = fc.property(abiFields(fields), (values) => {
          const body = codec.encodeBody(name, values, list);
          expect(
            new AbiCodec({ name: "one", [list]: abi[list].filter((each) => each.name === name) }).findBody(body),
          ).toEqual({ name, fields: values });
        });
        fc.assert(check, { numRuns });
      }
    }
    for (const layout of abi.storage) {
      const one = new AbiCodec({ name: "one", storage: [{ fields: layout.fields }] });
      const check = fc.property(abiFields(layout.fields), (values) => {
        expect(one.findStorage(one.encodeStorage(values))).toEqual(values);
      });
      fc.assert(check, { numRuns });
    }
    for (const { name, args, result } of abi.methods) {
      const check = fc.property(abiFields(args), abiFields(result), (given, values) => {
        expect(codec.decodeArgs(name, codec.encodeArgs(name, given))).toEqual(given);
        expect(codec.decodeResult(name, codec.encodeResult(name, values))).toEqual(values);
      });
      fc.assert(check, { numRuns });
    }
  });
});

describe("the library", () => {
  const codeHash = parseHash("a".repeat(64));
  const address = makeAddress(0, "b".repeat(64));
  const add = (library: AbiLibrary, id: string, target: Partial<Parameters<AbiLibrary["add"]>[0]["target"]>) =>
    library.add({
      id,
      abi: { name: id },
      target: { addresses: [], codeHashes: [], interfaces: [], ...target },
      source: `source of ${id}`,
    });

  it("puts the particular before the general", () => {
    const library = new AbiLibrary();
    add(library, "kind", { interfaces: ["jetton_wallet"] });
    add(library, "code", { codeHashes: [codeHash] });
    add(library, "account", { addresses: [address] });
    add(library, "other", { addresses: [makeAddress(0, "c".repeat(64))] });
    const subject = { address, codeHash, interfaces: ["jetton_wallet"] };
    expect(library.find(subject).map(({ abi }) => abi.name)).toEqual(["account", "code", "kind", "jetton_wallet"]);
    expect(library.findSource(subject)).toBe("source of code");
    expect([library.remove("code"), library.remove("code")]).toEqual([true, false]);
    expect(library.find({ codeHash, interfaces: [] })).toEqual([]);
  });

  it("finds an ABI by the codes that it names itself", () => {
    const library = new AbiLibrary();
    const abi = { name: "own", codes: [codeHash] };
    library.add({ id: "own", abi, target: { addresses: [], codeHashes: [], interfaces: [] } });
    expect(library.find({ codeHash, interfaces: [] }).map((codec) => codec.abi)).toEqual([abi]);
  });

  it("knows the elector and the configuration by their addresses", () => {
    const library = new AbiLibrary();
    const names = ["3", "5"].map((digit) =>
      library.find({ address: makeAddress(-1, digit.repeat(64)), interfaces: [] }).map(({ abi }) => abi.name),
    );
    expect(names).toEqual([["elector"], ["config"]]);
  });
});
