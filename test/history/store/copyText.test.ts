import { describe, expect, it } from "vitest";
import { bool, bytes, int8, ints, json, nullable, text, texts } from "../../../src/history/store/columns.ts";
import { copyPieces } from "../../../src/history/store/copyText.ts";
import { table } from "../../../src/history/store/Table.ts";
import { copyText } from "../../kit/history/loadRows.ts";

const things = table("things", {
  id: int8,
  isOpen: nullable(bool),
  name: text(),
  data: nullable(bytes),
  list: texts,
  numbers: nullable(ints),
  facts: json(),
});

describe("lines for COPY", () => {
  it("are one per row, with fields separated by tabs and special characters escaped", () => {
    const rows = [
      {
        id: -5n,
        isOpen: true,
        name: "a\tb\nc\\d\re",
        data: Uint8Array.of(0, 255),
        list: ['q"', "b\\"],
        numbers: [1, -2],
        facts: { a: "x\\y", n: 2n ** 70n },
      },
      { id: 0n, isOpen: undefined, name: "", data: undefined, list: [], numbers: undefined, facts: null },
    ];
    expect(copyText(things, rows)).toBe(
      '-5\tt\ta\\tb\\nc\\\\d\\re\t\\\\x00ff\t{"q\\\\"","b\\\\\\\\"}\t{1,-2}\t{"a":"x\\\\\\\\y","n":1180591620717411303424}\n' +
        "0\t\\N\t\t\\N\t{}\t\\N\tnull\n",
    );
  });

  it("are empty without rows", () => {
    expect(copyText(things, [])).toBe("");
  });

  it("come in chunks of whole lines if they are many", () => {
    const numbers = table("numbers", { id: int8 });
    const rows = [1n, 22n, 333n, 4n, 5n].map((id) => ({ id }));
    expect([...copyPieces(numbers, rows, 4)]).toEqual(["1\n22\n", "333\n", "4\n5\n"]);
    expect([...copyPieces(numbers, rows, 1_000)]).toEqual([copyText(numbers, rows)]);
    expect([...copyPieces(numbers, [], 4)]).toEqual([]);
  });
});
