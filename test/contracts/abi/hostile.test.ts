import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Abi, AbiType } from "../../../src/contracts/abi/Abi.ts";
import { AbiCodec } from "../../../src/contracts/abi/AbiCodec.ts";
import { readAbiFile } from "../../../src/contracts/abi/files/readAbiFile.ts";
import { parseAbi } from "../../../src/contracts/abi/parseAbi.ts";
import type { JsonValue } from "../../../src/lib/json.ts";
import type { VmValue } from "../../../src/model/vm/VmValue.ts";

const storageOf = (type: AbiType): AbiCodec =>
  new AbiCodec(parseAbi({ name: "a", storage: [{ fields: [{ name: "v", type: type as JsonValue }] }] }));

/** The same layout as a message. */
function bodyOf({ abi }: AbiCodec): Abi {
  return { name: "a", receives: [{ name: "m", fields: abi.storage?.[0]?.fields ?? [] }] };
}

/** A cell whose two references are the same cell, and so on: 2^depth paths. */
function tangle(depth: number): Cell {
  let cell = beginCell().cell();
  for (let i = 0; i < depth; i++) cell = beginCell().storeRef(cell).storeRef(cell).cell();
  return cell;
}

describe("a hostile ABI", () => {
  it("that doubles with every type is refused", () => {
    const pair = (name: string) => ({ struct: ["a", "b"].map((field) => ({ name: field, type: { named: name } })) });
    const types = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`T${i}`, pair(`T${i + 1}`)]));
    const json = { name: "a", types: { ...types, T40: { struct: [] } } };
    expect(() => parseAbi(json)).toThrow("a type of more than 10000 values");
  });

  it("of a long chain of types or of deep types is refused without a crash", () => {
    const types = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`T${i}`, { ref: { named: `T${i + 1}` } }]));
    expect(parseAbi({ name: "a", types: { ...types, T900: "bool" } }).types?.T0).toEqual({ ref: { named: "T1" } });
    const deep = `{"name":"a","types":{"T":${'{"ref":'.repeat(60)}"bool"${"}".repeat(60)}}}`;
    expect(() => readAbiFile(deep)).toThrow(/nested deeper than 24|depth/);
  });

  it("keeps names with markup as they are, and refuses those that would change objects", () => {
    const name = '<img src=x onerror="alert(1)">';
    const abi = parseAbi({ name, storage: [{ fields: [{ name, type: "bool" }] }] });
    expect(new AbiCodec(abi).findStorage(beginCell().storeBit(true).cell())).toEqual({ [name]: true });
    for (const bad of ["__proto__", "", "a\u0000b", "x".repeat(201)])
      expect(() => parseAbi({ name: bad })).toThrow("a name has 1 to 200 printable characters");
    const own = JSON.parse('{"name": "a", "types": {"__proto__": "bool"}}') as JsonValue;
    expect(() => parseAbi(own)).toThrow("a name has 1 to 200 printable characters");
  });
});

describe("hostile cells", () => {
  it("that mean 2^32 entries or 2^500 paths are refused as too large, not taken for other data", () => {
    // Every edge has an empty label, and both halves are the same cell.
    let edge = beginCell().storeUint(0, 2).cell();
    for (let i = 0; i < 32; i++) edge = beginCell().storeUint(0, 2).storeRef(edge).storeRef(edge).cell();
    const dict = beginCell().storeBit(true).storeRef(edge).cell();
    const codec = storageOf({ dict: { key: "uint32", value: { struct: [] } } });
    expect(() => codec.findStorage(dict)).toThrow(
      expect.objectContaining({ code: "abi/too-large", message: "more than 10000 entries" }),
    );
    expect(() => new AbiCodec(bodyOf(codec)).findBody(dict)).toThrow("more than 10000 entries");

    let type: AbiType = { many: "cell" };
    for (let i = 0; i < 9; i++) type = { many: { ref: type } };
    expect(() => storageOf(type).findStorage(tangle(500))).toThrow(/more than [0-9]+ (?:values|characters)/);
  });

  it("with values of no bits are refused", () => {
    const codec = storageOf({ many: { struct: [] } });
    expect(() => codec.findStorage(beginCell().storeBit(true).cell())).toThrow("more than 50000 values");
  });

  it("whose texts share one long chain are refused", () => {
    let chain = beginCell().cell();
    for (let i = 0; i < 500; i++) chain = beginCell().storeRef(chain).cell();
    let texts = beginCell().storeRef(chain).cell();
    for (let i = 0; i < 9; i++) texts = beginCell().storeRef(texts).storeRef(texts).cell();
    let type: AbiType = { many: { ref: "text" } };
    for (let i = 0; i < 9; i++) type = { many: { ref: type } };
    expect(() => storageOf(type).findStorage(texts)).toThrow("more than 2097152 characters");
  });
});

it("stops at stacks that are deeper or longer than the limits", () => {
  const abi: Abi = { name: "a", methods: [{ name: "m", args: [], result: [{ name: "v", type: "any" }] }] };
  let deep: VmValue = { kind: "null" };
  for (let i = 0; i < 5000; i++) deep = { kind: "tuple", items: [deep] };
  expect(() => new AbiCodec(abi).decodeResult("m", [deep])).toThrow("more than 200 levels");

  const cycle: { kind: "tuple"; items: VmValue[] } = { kind: "tuple", items: [] };
  cycle.items.push({ kind: "null" }, cycle);
  const list: Abi = { name: "a", methods: [{ name: "m", args: [], result: [{ name: "v", type: { list: "any" } }] }] };
  expect(() => new AbiCodec(list).decodeResult("m", [cycle])).toThrow(/more than/);
});
