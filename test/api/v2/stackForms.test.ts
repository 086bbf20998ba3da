import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import { toBase64 } from "../../../src/lib/bytes.ts";
import type { VmStackValue } from "../../../src/model/vm/VmStack.ts";
import type { TestServer } from "../../kit/api/apiServer.ts";
import { openMethodServer } from "../../kit/chain/changedV2.ts";

/* Every form of stack entries in requests and answers. An account without code returns the given stack. */

let server: TestServer;
let vmStackValues: readonly VmStackValue[] = [];

beforeAll(async () => {
  server = await openMethodServer(() => ({ said: vmStackValues }));
});

afterAll(() => server.close());

const nobody = `0:${"7".repeat(64)}`;
const elector = `-1:${"3".repeat(64)}`;
const byteCell = beginCell().storeUint(0x25, 7).storeRef(emptyCell).cell();
const bytes = toBase64(writeBoc(byteCell, crcForm));
const urlBytes = bytes.replaceAll("+", "-").replaceAll("/", "_");
const object = {
  data: { b64: "Sg==", len: 7 },
  refs: [{ data: { b64: "", len: 0 }, refs: [], special: false }],
  special: false,
};
const badCell = "Invalid cell, object with field bytes expected";
const shownCell = ["cell", { bytes, object }];

const number = (text: string) => ({
  "@type": "tvm.stackEntryNumber",
  number: { "@type": "tvm.numberDecimal", number: text },
});
const list = (...elements: readonly unknown[]) => ({ "@type": "tvm.list", elements });
const tuple = (...elements: readonly unknown[]) => ({ "@type": "tvm.tuple", elements });
const cellEntry = { "@type": "tvm.stackEntryCell", cell: { "@type": "tvm.cell", bytes } };
const sliceEntry = { "@type": "tvm.stackEntrySlice", slice: { "@type": "tvm.slice", bytes } };
const listEntry = (...elements: readonly unknown[]) => ({ "@type": "tvm.stackEntryList", list: list(...elements) });
const tupleEntry = (...elements: readonly unknown[]) => ({ "@type": "tvm.stackEntryTuple", tuple: tuple(...elements) });

async function run(name: string, address: string, method: unknown, stack: unknown) {
  const body = JSON.stringify({ address, method, stack });
  const response = await fetch(`${server.origin}/api/v2/${name}`, { method: "POST", body });
  const answer = Object(await response.json());
  return answer.result?.stack ?? answer.error;
}

describe("pairs", () => {
  it.each<[string, unknown, unknown]>([
    ["num", 5, ["num", "0x5"]],
    ["number", "31", ["num", "0x1f"]],
    ["int", "0x1F", ["num", "0x1f"]],
    ["integer", "-1", ["num", "-0x1"]],
    ["num", "-0x10", ["num", "-0x10"]],
    ["num", "", ["num", "0x0"]],
    ["num", -0, ["num", "0x0"]],
    ["tvm.Cell", bytes, shownCell],
    ["tvm.Cell", urlBytes, shownCell],
    ["tvm.Slice", bytes, shownCell],
    ["cell", { bytes }, shownCell],
    ["cell", { bytes, object }, shownCell],
    ["slice", { bytes }, shownCell],
    ["tuple", tuple(number("1"), cellEntry), ["tuple", tuple(number("1"), cellEntry)]],
    ["tvm.Tuple", tuple(), ["tuple", tuple()]],
    ["tuple", tuple(number("1"), listEntry()), ["list", list(number("1"))]],
    ["list", list(number("1"), sliceEntry), ["list", list(number("1"), sliceEntry)]],
    ["tvm.List", list(), ["list", list()]],
  ])("%s of %j is accepted, and returned as %j", async (tag, value, shown) => {
    expect(await run("runGetMethod", nobody, 1, [[tag, value]])).toEqual([shown, ["num", "0x1"]]);
  });

  it.each<[string, unknown, string]>([
    ["tvm.Cell", "!!!", "Wrong padding length"],
    ["tvm.Cell", "!!!!", "Wrong character in the string"],
    ["tvm.Slice", "te6cckEBAQEAAgAAAEysuc", "Wrong padding length"],
    ["tvm.Slice", "te6cckE*", "Wrong character in the string"],
    ["cell", { bytes: "!!!" }, badCell],
    ["cell", { bytes, object: {} }, badCell],
    ["cell", { bytes, object: null }, badCell],
    ["cell", { bytes, object: { ...object, special: undefined } }, badCell],
    ["cell", { bytes, object: { ...object, refs: [{ data: { b64: "", len: 0 }, refs: [] }] } }, badCell],
    ["cell", { bytes, object: { ...object, hash: "" } }, badCell],
    ["cell", { bytes, object: { ...object, data: { b64: "Sg==", len: 7, hex: "" } } }, badCell],
    ["cell", { bytes, size: 1 }, badCell],
    ["slice", { bytes, object: { data: object.data } }, "Invalid slice, object with field bytes expected"],
  ])("%s of %j is refused", async (tag, value, text) => {
    expect(await run("runGetMethod", nobody, 1, [[tag, value]])).toBe(text);
  });

  it.each([
    ["tvm.Builder", bytes],
    ["null", "x"],
    ["", "x"],
    ["NUM", 1],
  ])("%s is not a type", async (tag, value) => {
    expect(await run("runGetMethod", nobody, 1, [[tag, value]])).toBe(`Unsupported stack entry type: ${tag}`);
  });

  it.each(["num", "tvm.Cell", "tvm.Slice", "cell", "slice", "tuple", "list", "null"])(
    "empty %s is rejected",
    async (tag) => {
      expect(await run("runGetMethod", nobody, 1, [[tag, null]])).toBe(`Empty ${tag}`);
    },
  );
});

const given: readonly (readonly [string, VmStackValue, unknown, unknown])[] = [
  ["a number", { kind: "int", value: -31n }, ["num", "-0x1f"], number("-31")],
  ["a null", { kind: "null" }, ["list", list()], listEntry()],
  ["a cell", { kind: "cell", cell: byteCell }, shownCell, cellEntry],
  ["a builder", { kind: "builder", cell: byteCell }, ["unsupported", ""], { "@type": "tvm.stackEntryUnsupported" }],
  [
    "a pair that ends with null",
    { kind: "tuple", items: [{ kind: "int", value: 1n }, { kind: "null" }] },
    ["list", list(number("1"))],
    listEntry(number("1")),
  ],
  [
    "a tuple",
    { kind: "tuple", items: [{ kind: "tuple", items: [] }] },
    ["tuple", tuple(tupleEntry())],
    tupleEntry(tupleEntry()),
  ],
];

describe.each(given)("%s that code leaves", (_what, value, pair, entry) => {
  it("is a pair and an entry", async () => {
    vmStackValues = [value];
    expect(await run("runGetMethod", elector, "said", [])).toEqual([pair]);
    expect(await run("runGetMethodStd", elector, "said", [])).toEqual([entry]);
  });
});

describe("typed entries", () => {
  it.each<[unknown]>([
    [number("5")],
    [number("0x1f")],
    [{ "@type": "tvm.stackEntryNumber", number: { number: -7 } }],
    [cellEntry],
    [{ "@type": "tvm.stackEntryCell", cell: { bytes } }],
    [sliceEntry],
    [tupleEntry(number("1"), tupleEntry())],
    [listEntry(number("1"), cellEntry)],
  ])("%j is accepted", async (entry) => {
    vmStackValues = [];
    expect(await run("runGetMethodStd", elector, "said", [entry])).toEqual([]);
  });

  it.each<[unknown, string]>([
    [{ "@type": "tvm.stackEntryUnsupported" }, "Unsupported stack entry type: tvm.stackEntryUnsupported"],
    [{ "@type": "tvm.stackEntryFoo" }, "Unsupported stack entry type: tvm.stackEntryFoo"],
    [{}, "Invalid stack entry, field @type expected"],
    [["num", 1], "Invalid stack entry, object expected"],
    [number("x"), "Failed to parse dec string to int256"],
    [{ "@type": "tvm.stackEntryNumber" }, "Wrong type of number in stack entry"],
    [{ "@type": "tvm.stackEntryCell", cell: {} }, "Invalid cell, object with field bytes expected"],
    [
      { "@type": "tvm.stackEntrySlice", slice: { "@type": "tvm.cell", bytes: "" } },
      "Invalid slice, object with field bytes expected",
    ],
    [{ ...cellEntry, name: "x" }, "Unknown property 'name'"],
    [{ ...number("5"), cell: { bytes } }, "Unknown property 'cell'"],
    [{ ...tupleEntry(), id: null }, "Unknown property 'id'"],
    [{ "@type": "tvm.stackEntryCell", cell: { bytes, object } }, badCell],
    [{ "@type": "tvm.stackEntryNumber", number: { number: "5", base: 10 } }, "Wrong type of number in stack entry"],
    [
      { "@type": "tvm.stackEntryList", list: { ...list(), length: 0 } },
      "Invalid tvm.List, valid tvm_stackEntryList expected",
    ],
    [tupleEntry({ ...cellEntry, name: "x" }), "Unknown property 'name'"],
    [
      { "@type": "tvm.stackEntryCell", cell: { bytes: "" } },
      "cannot deserialize bag-of-cells: not enough bytes (0 present, 10 required)",
    ],
    [{ "@type": "tvm.stackEntryTuple" }, "Invalid tvm.Tuple, valid tvm_stackEntryTuple expected"],
    [{ "@type": "tvm.stackEntryList", list: 5 }, "Invalid tvm.List, valid tvm_stackEntryList expected"],
  ])("%j is refused", async (entry, text) => {
    expect(await run("runGetMethodStd", elector, "said", [entry])).toBe(text);
  });
});

describe("methods", () => {
  it.each([
    ["seqno", "0x14c97"],
    ["get_jetton_data", "0x19e2d"],
    ["85143", "0x14c97"],
    ["0x14C97", "0x14c97"],
    ["-1", "-0x1"],
    ["", "0x0"],
    [85143, "0x14c97"],
    [-2, "-0x2"],
    ["приве́т", "0x1350e"],
  ])("%j has the id %s", async (method, id) => {
    expect(await run("runGetMethod", nobody, method, [])).toEqual([["num", id]]);
  });

  it.each([1.5, true, {}, "2147483648", 2147483648, "-0x80000001"])("%j is not a method", async (method) => {
    expect(await run("runGetMethod", nobody, method, [])).toBe("failed to parse method");
  });
});
