import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { Abi } from "../../../src/contracts/abi/Abi.ts";
import { AbiCodec } from "../../../src/contracts/abi/AbiCodec.ts";
import { parseAbi } from "../../../src/contracts/abi/parseAbi.ts";
import { jettonWalletInterface } from "../../../src/contracts/families/jetton/interfaces.ts";
import { intValue } from "../../../src/contracts/kit/stackValues.ts";
import { abiFields } from "../../kit/contracts/abiValues.ts";

const owner = `0:${"AB".repeat(32)}`;
const jetton = `-1:${"01".repeat(32)}`;
const cell = writeBoc(beginCell().storeUint(7, 8).cell()).toString("base64");
const wallet = new AbiCodec(jettonWalletInterface.abi);

describe("a declared interface", () => {
  it("is an ABI that the reader accepts", () => {
    const { abi } = jettonWalletInterface;
    expect(parseAbi(JSON.parse(JSON.stringify(abi)))).toEqual(JSON.parse(JSON.stringify(abi)));
  });

  it("names the fields of a body, and makes the same body of them", () => {
    const fields = {
      query_id: "1",
      amount: "1000000000000000000000",
      destination: owner,
      response_destination: null,
      custom_payload: null,
      forward_ton_amount: "0",
      forward_payload: cell,
    };
    const body = wallet.encodeBody("jetton_transfer", fields);
    expect(wallet.findBody(body)).toEqual({ name: "jetton_transfer", fields });
  });

  it("reports what follows the fields of a body", () => {
    const body = wallet.encodeBody("excesses", { query_id: 5 }, "sends");
    const longer = beginCell().storeBits(Buffer.from("d53276db0000000000000005", "hex"), 96).storeUint(7, 8).cell();
    expect(wallet.findBody(body)).toEqual({ name: "excesses", fields: { query_id: "5" } });
    expect(wallet.findBody(longer)).toEqual({ name: "excesses", fields: { query_id: "5" }, rest: cell });
  });

  it("names the results and takes the arguments of a get-method", () => {
    const values = { balance: "5", owner, jetton, wallet_code: cell };
    const stack = wallet.encodeResult("get_wallet_data", values);
    expect(stack.map(({ kind }) => kind)).toEqual(["int", "slice", "slice", "cell"]);
    expect(wallet.decodeResult("get_wallet_data", stack)).toEqual(values);
    expect(() => wallet.decodeResult("get_wallet_data", [...stack, intValue(0n)])).toThrow("more values on the stack");
  });

  it("reads storage by the code that has the layout", () => {
    const [withCode, withStatus] = wallet.abi.storage ?? [];
    const fields = { status: 0, balance: "5", owner, jetton };
    const data = wallet.encodeStorage(fields, withStatus);
    expect(wallet.findStorage(data, withStatus?.codes?.[0])).toEqual(fields);
    expect(wallet.findStorage(data, withCode?.codes?.[0])).toBeUndefined();
    expect(wallet.findStorage(data)).toBeUndefined();
  });

  it("has words for exit codes", () => {
    expect([706, 0].map((code) => wallet.findError(code))).toEqual(["not enough jettons", undefined]);
  });

  it("gives wide integers as bigint where that is asked for", () => {
    const codec = new AbiCodec(jettonWalletInterface.abi, { integers: "bigint" });
    const body = codec.encodeBody("excesses", { query_id: 5n }, "sends");
    expect(codec.findBody(body)).toEqual({ name: "excesses", fields: { query_id: 5n } });
  });
});

/** Every type once. */
const wide: Abi = {
  name: "wide",
  types: { Point: { struct: [field("x", "int8"), field("y", "uint33")] } },
  receives: [
    {
      name: "all",
      tag: "$10101",
      fields: [
        field("a", "uint1"),
        field("b", "int257"),
        field("c", "varint16"),
        field("d", "bits7"),
        field("e", "anyAddress"),
        field("f", { maybe: { named: "Point" } }),
        field("g", { ref: { struct: [field("t", "text")] } }),
        field("h", { dict: { key: "int7", value: { ref: "text" } } }),
        field("i", {
          union: [
            { name: "left", tag: "$0", fields: [field("p", { named: "Point" })] },
            { name: "right", tag: "$1", fields: [] },
          ],
        }),
        field("j", { either: "bytes" }),
        field("k", { ref: { many: "uint5" } }),
      ],
    },
  ],
  methods: [
    {
      name: "stack",
      args: [],
      result: [
        field("a", "int"),
        field("b", { maybe: "bool" }),
        field("c", { tuple: [field("x", "address"), field("y", { array: "uint8" })] }),
        field("d", { list: { tuple: [field("n", "int"), field("s", "slice")] } }),
        field("e", { named: "Point" }),
        field("f", { dict: { key: "address", value: "coins" } }),
        field("g", { ref: "uint8" }),
        field("h", "text"),
        field("i", "content"),
        field("j", "bits12"),
      ],
    },
  ],
};

function field<const T>(name: string, type: T): { readonly name: string; readonly type: T } {
  return { name, type };
}

describe("every type", () => {
  const codec = new AbiCodec(parseAbi(JSON.parse(JSON.stringify(wide))));

  it("is the same value after it was encoded in a cell", () => {
    const fields = abiFields(codec.abi.receives?.[0]?.fields ?? [], codec.abi.types);
    fc.assert(
      fc.property(fields, (values) => {
        expect(codec.findBody(codec.encodeBody("all", values))).toEqual({ name: "all", fields: values });
      }),
    );
  });

  it("is the same value after it was encoded on the stack", () => {
    const fields = abiFields(codec.getMethod("stack").result, codec.abi.types);
    fc.assert(
      fc.property(fields, (values) => {
        expect(codec.decodeResult("stack", codec.encodeResult("stack", values))).toEqual(values);
      }),
    );
  });

  it("keeps the entries of a dictionary in the order of their keys", () => {
    const dict: Abi = { name: "d", storage: [{ fields: [field("d", { dict: { key: "int8", value: "bool" } })] }] };
    const entries = [-1, 3, 0].map((key) => ({ key, value: key > 0 }));
    const data = new AbiCodec(dict).encodeStorage({ d: entries });
    expect(new AbiCodec(dict).findStorage(data)).toEqual({
      d: [0, 3, -1].map((key) => ({ key, value: key > 0 })),
    });
  });
});

describe("a value that does not fit", () => {
  const codec = new AbiCodec(jettonWalletInterface.abi);
  it.each([
    [{ query_id: -1 }, "excesses.query_id: "],
    [{ query_id: "1.5" }, "excesses.query_id: an integer is needed"],
    [{}, "excesses.query_id: an integer is needed"],
    [{ query_id: 1, queryId: 1 }, "excesses.queryId: there is no such field"],
  ])("is refused with its path: %j", (fields, message) => {
    expect(() => codec.encodeBody("excesses", fields, "sends")).toThrow(message);
  });

  it("names what the ABI lacks", () => {
    expect(() => codec.encodeBody("none", {})).toThrow("jetton_wallet receives no message none");
    expect(() => codec.getMethod("none")).toThrow("jetton_wallet has no get-method none");
  });
});
