import { expect, it } from "vitest";
import { toPrintable, toPrintableLines } from "../../src/lib/printable.ts";

/* A terminal obeys only this program: text of somebody else cannot move its cursor, mark words or turn lines around. */

it("shows control characters and marks of the writing direction instead of handing them on", () => {
  const given = "a\u001b[2J\r\n\tb\u009b31m\u007f\u0000 \u202egpj.exe\u2069\u200f\u061c\u2028";
  expect(toPrintable(given)).toBe(
    "a\\u001b[2J\\u000d\\u000a\\u0009b\\u009b31m\\u007f\\u0000 \\u202egpj.exe\\u2069\\u200f\\u061c\\u2028",
  );
  expect(toPrintableLines("a\u001b[2J\n\tb\r")).toBe("a\\u001b[2J\n\tb\\u000d");
});

it("leaves every other text alone, and stays JSON of the same value", () => {
  const text = 'Übergrößenträger 漢字 😀 \\ " é';
  expect(toPrintable(text)).toBe(text);
  const value = { name: "a\u202eb\u0085\u001b" };
  expect(JSON.parse(toPrintable(JSON.stringify(value)))).toEqual(value);
});
