import { describe, expect, it } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import { storeCell } from "../../../../src/cell/codec.ts";
import { sliceOf } from "../../../../src/cell/Slice.ts";
import { AbiCodec } from "../../../../src/contracts/abi/AbiCodec.ts";
import { findCompiledHash, readAbiFile } from "../../../../src/contracts/abi/files/readAbiFile.ts";
import { intValue } from "../../../../src/contracts/kit/stackValues.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { internalAddress } from "../../../../src/model/messageAddress.ts";
import { wholeSlice } from "../../../../src/model/vm/VmCellSlice.ts";

const owner = makeAddress(0, "ab".repeat(32));
const simple = (type: string, format?: string | number, optional = false) => ({
  kind: "simple",
  type,
  format,
  optional,
});

/** As the compiler of Tact writes it. */
const tact = {
  name: "Counter",
  types: [
    {
      name: "Point",
      header: null,
      fields: [
        { name: "x", type: simple("int", 8) },
        { name: "y", type: simple("int") },
      ],
    },
    {
      name: "Add",
      header: 2335447074,
      fields: [
        { name: "queryId", type: simple("uint", 64) },
        { name: "amount", type: simple("uint", "coins") },
        { name: "note", type: simple("string", undefined, true) },
        { name: "at", type: simple("Point") },
        { name: "to", type: simple("address", undefined, true) },
        { name: "rest", type: simple("slice", "remainder") },
      ],
    },
    {
      name: "Counter$Data",
      header: null,
      fields: [
        { name: "owner", type: simple("address") },
        { name: "a", type: simple("int") },
        { name: "b", type: simple("int") },
        { name: "c", type: simple("int") },
        { name: "balances", type: { kind: "dict", key: "address", value: "uint", valueFormat: "coins" } },
      ],
    },
  ],
  receivers: [
    { receiver: "internal", message: { kind: "typed", type: "Add" } },
    { receiver: "internal", message: { kind: "text", text: "increment" } },
    { receiver: "internal", message: { kind: "empty" } },
    { receiver: "external", message: { kind: "any" } },
  ],
  getters: [
    { name: "counter", methodId: 104391, arguments: [], returnType: simple("int", 257) },
    { name: "point", arguments: [{ name: "who", type: simple("address") }], returnType: simple("Point") },
    { name: "maybePoint", arguments: [], returnType: simple("Point", undefined, true) },
  ],
  errors: { "2": { message: "Stack underflow" }, "40368": { message: "Contract stopped" } },
  interfaces: ["org.ton.introspection.v0"],
};

/** As the compiler of Tolk writes it. */
const tolk = {
  abi_schema_version: "1.0",
  contract_name: "Vault",
  unique_types: [
    { kind: "uintN", n: 32 },
    { kind: "coins" },
    { kind: "addressOpt" },
    { kind: "StructRef", struct_name: "Extra" },
    { kind: "cellOf", inner_ty_idx: 3 },
    { kind: "StructRef", struct_name: "Deposit" },
    { kind: "StructRef", struct_name: "Withdraw" },
    { kind: "union", variants: [{ variant_ty_idx: 5 }, { variant_ty_idx: 6 }] },
    { kind: "AliasRef", alias_name: "Message" },
    { kind: "StructRef", struct_name: "Storage" },
    { kind: "nullable", inner_ty_idx: 3 },
    { kind: "mapKV", key_ty_idx: 0, value_ty_idx: 1 },
    { kind: "string" },
    { kind: "bool" },
    { kind: "int" },
    { kind: "arrayOf", inner_ty_idx: 14 },
    { kind: "EnumRef", enum_name: "Mode" },
    { kind: "tensor", items_ty_idx: [14, 13] },
  ],
  struct_instantiations: [],
  alias_instantiations: [],
  declarations: [
    {
      kind: "struct",
      name: "Extra",
      ty_idx: 3,
      fields: [
        { name: "note", ty_idx: 12 },
        { name: "flag", ty_idx: 13 },
      ],
    },
    {
      kind: "struct",
      name: "Deposit",
      ty_idx: 5,
      prefix: { prefix_num: 0x7e8764ef, prefix_len: 32 },
      fields: [
        { name: "amount", ty_idx: 1 },
        { name: "mode", ty_idx: 16 },
        { name: "extra", ty_idx: 4 },
      ],
    },
    {
      kind: "struct",
      name: "Withdraw",
      ty_idx: 6,
      prefix: { prefix_num: 1, prefix_len: 2 },
      fields: [{ name: "to", ty_idx: 2 }],
    },
    { kind: "alias", name: "Message", ty_idx: 8, target_ty_idx: 7 },
    { kind: "enum", name: "Mode", ty_idx: 16, encoded_as_ty_idx: 0, members: [] },
    {
      kind: "struct",
      name: "Storage",
      ty_idx: 9,
      fields: [
        { name: "counter", ty_idx: 0 },
        { name: "extra", ty_idx: 10 },
        { name: "balances", ty_idx: 11 },
      ],
    },
  ],
  incoming_messages: [{ body_ty_idx: 8 }],
  incoming_external: [],
  outgoing_messages: [],
  emitted_events: [],
  storage: { storage_ty_idx: 9 },
  get_methods: [
    { tvm_method_id: 90000, name: "state", parameters: [{ name: "who", ty_idx: 2 }], return_ty_idx: 9 },
    { tvm_method_id: 90001, name: "pair", parameters: [], return_ty_idx: 17 },
    { tvm_method_id: 90002, name: "numbers", parameters: [], return_ty_idx: 15 },
  ],
  thrown_errors: [{ name: "Errors.NotOwner", err_code: 132 }],
  code_boc64: writeBoc(beginCell().storeUint(1, 8).cell()).toString("base64"),
};

describe("a file of Tact", () => {
  const codec = new AbiCodec(readAbiFile(JSON.stringify(tact)).abi);

  it("decodes and encodes messages", () => {
    const rest = writeBoc(beginCell().storeUint(5, 3).cell()).toString("base64");
    const fields = { queryId: "7", amount: "9", note: "hi", at: { x: -1, y: "5" }, to: null, rest };
    const body = codec.encodeBody("Add", fields);
    const notes = beginCell().storeBytes(Buffer.from("hi")).cell();
    expect(sliceOf(body).loadRef().hash()).toBe(notes.hash());
    expect(codec.findBody(body)).toEqual({ name: "Add", fields });
    const comment = beginCell().storeUint(0, 32).storeBytes(Buffer.from("increment")).cell();
    expect(codec.findBody(comment)).toEqual({ name: "increment", fields: { text: "increment" } });
    expect(codec.findBody(beginCell().cell())).toEqual({ name: "empty", fields: {} });
  });

  it("reads storage that continues in another cell, with and without the bit of init", () => {
    const fields = { owner: "0:AB", a: "1", b: "2", continued: { c: "3", balances: [] } };
    const known = { ...fields, owner: owner.toUpperCase() };
    const [withBit, without] = codec.abi.storage ?? [];
    const data = codec.encodeStorage({ initialized: true, ...known }, withBit);
    expect(codec.findStorage(data)).toEqual({ initialized: true, ...known });
    expect(codec.findStorage(codec.encodeStorage(known, without))).toEqual(known);
  });

  it("names arguments, results and errors", () => {
    const point = [intValue(1n), intValue(2n)];
    expect(codec.decodeResult("counter", [intValue(5n)])).toEqual({ value: "5" });
    expect(codec.decodeResult("point", point)).toEqual({ x: "1", y: "2" });
    expect(codec.decodeResult("maybePoint", [{ kind: "tuple", items: point }])).toEqual({ value: { x: "1", y: "2" } });
    expect(codec.decodeResult("maybePoint", [{ kind: "null" }])).toEqual({ value: null });
    const slice = wholeSlice(storeCell(internalAddress, owner));
    expect(codec.encodeArgs("point", { who: owner })).toEqual([{ kind: "slice", slice }]);
    expect(codec.findMethod(104391)?.name).toBe("counter");
    expect(codec.findError(40368)).toBe("Contract stopped");
  });
});

describe("a file of Tolk", () => {
  const { abi, codeHash } = readAbiFile(JSON.stringify(tolk));
  const codec = new AbiCodec(abi);

  it("has the hash of its code", () => {
    expect(codeHash).toBe(beginCell().storeUint(1, 8).cell().hash());
  });

  it("decodes and encodes messages and storage", () => {
    const deposit = { amount: "5", mode: 2, extra: { note: "hi", flag: true } };
    expect(codec.findBody(codec.encodeBody("Deposit", deposit))).toEqual({ name: "Deposit", fields: deposit });
    const withdraw = codec.encodeBody("Withdraw", { to: null });
    expect(withdraw.bitLength).toBe(4);
    expect(codec.findBody(withdraw)).toEqual({ name: "Withdraw", fields: { to: null } });
    const storage = { counter: 7, extra: null, balances: [{ key: 1, value: "2" }] };
    expect(codec.findStorage(codec.encodeStorage(storage))).toEqual(storage);
  });

  it("reads structs, tensors and arrays of the stack", () => {
    const none = { kind: "null" } as const;
    const state = [intValue(7n), none, none, intValue(0n), none];
    expect(codec.decodeResult("state", state)).toEqual({ counter: 7, extra: null, balances: [] });
    const value = { 0: "1", 1: true };
    expect(codec.decodeResult("pair", [intValue(1n), intValue(-1n)])).toEqual({ value });
    const items = [intValue(1n), intValue(2n)];
    expect(codec.decodeResult("numbers", [{ kind: "tuple", items }])).toEqual({ value: ["1", "2"] });
    expect(codec.findError(132)).toBe("Errors.NotOwner");
  });
});

describe("a bad file", () => {
  const refused = (text: string) => {
    try {
      readAbiFile(text);
      return undefined;
    } catch (error) {
      const { code, message, data } = Object(error);
      return { code, message, data };
    }
  };

  it.each([
    [
      '{\n  "name": ,\n}',
      { code: "abi/form", message: expect.stringMatching(/^line 2: /), data: { path: "", line: 2 } },
    ],
    ["[]", { code: "abi/form", message: "line 1: an object is needed", data: { path: "", line: 1 } }],
    [
      '{\n "name": "a",\n "methods": [\n  {"name": "b", "result": [\n   {"name": "c", "type": "uint999"}]}]\n}',
      {
        code: "abi/form",
        message: "line 5: methods[0].result[0].type: uint999 is not a type",
        data: { path: "methods[0].result[0].type", line: 5 },
      },
    ],
    [
      '{"name": "a", "types": {\n "A": {"struct": [{"name": "b", "type": {"named": "B"}}]},\n "B": {"ref": {"named": "A"}}}}',
      {
        code: "abi/recursive",
        message: "line 3: types.B.ref.named: a type that contains itself: A → B → A",
        data: { path: "types.B.ref.named", line: 3 },
      },
    ],
    [
      '{\n"name": "a", "receives": [],\n "recieves": []}',
      {
        code: "abi/form",
        message: expect.stringContaining("line 3: recieves: unknown; known are name, doc, codes"),
        data: { path: "recieves", line: 3 },
      },
    ],
  ])("is refused with line and reason: %s", (text, expected) => {
    expect(refused(text)).toEqual(expected);
  });

  it("is no compiled code either", () => {
    expect(findCompiledHash('{"hash": "zz", "hex": ""}')).toBeUndefined();
    expect(findCompiledHash(JSON.stringify({ hash: "ab".repeat(32), hashBase64: "", hex: "b5" }))).toBe(
      "ab".repeat(32),
    );
  });
});
