import { describe, expect, it } from "vitest";
import { nameType, readTyped } from "../../web/contract/typedArgs.ts";

const address = `0:${"AB".repeat(32)}`;

describe("an argument of a get-method", () => {
  it.each<[type: unknown, text: string, value: unknown]>([
    ["uint64", " 12345678901234567890 ", "12345678901234567890"],
    ["int", "-5", "-5"],
    ["coins", "0x10", "16"],
    ["uint8", "five", undefined],
    ["uint8", "", undefined],
    ["bool", "true", true],
    ["bool", "1", undefined],
    ["address", address.toLowerCase(), address],
    ["address", "EQ", undefined],
    ["address?", "", null],
    ["cell?", "", null],
    ["slice", "", undefined],
    ["text", "a b", "a b"],
    [{ tuple: [] }, '{"a":[1]}', { a: [1] }],
    [{ maybe: "int" }, "{", undefined],
    [{ maybe: "int" }, "", null],
    [{ maybe: { ref: "address" } }, address, address],
    [{ ref: { struct: [] } }, "{}", {}],
    [{ either: "slice" }, "", "te6cckEBAQEAAgAAAEysuc0="],
    [{ either: "cell" }, "", undefined],
  ])("of type %j is read from %j", (type, text, value) => {
    const read = readTyped([{ name: "x", type }], new Map([["x", text]]));
    expect(read).toEqual(value === undefined ? `x is no ${nameType(type)}.` : { x: value });
  });

  it("has a short type, however long its form is", () => {
    expect(nameType({ struct: Array.from({ length: 1_000 }, () => ({ name: "x", type: "int" })) }).length).toBe(80);
  });
});
