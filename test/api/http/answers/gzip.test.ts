import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { bytesOfPiece, toByteText } from "../../../../src/api/http/answers/byteText.ts";
import { closeGzip, openGzip } from "../../../../src/api/http/answers/gzip.ts";

const wanted = { reason: undefined };

it("joins a start and any tail to one gzip file", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.array(fc.string({ unit: "grapheme" })),
      async (begin, tails) => {
        const open = await openGzip([toByteText(begin)], wanted);
        for (const tail of tails)
          expect(gunzipSync(Buffer.concat(closeGzip(open, toByteText(tail)))).toString("utf8")).toBe(begin + tail);
      },
    ),
  );
});

it("accepts a tail longer than one stored block", async () => {
  const tail = toByteText("é".repeat(70_000));
  const open = await openGzip([toByteText("x".repeat(100_000))], wanted);
  expect(gunzipSync(Buffer.concat(closeGzip(open, tail))).toString("utf8")).toBe(
    "x".repeat(100_000) + "é".repeat(70_000),
  );
});

it("compresses an answer in pieces like a whole one", async () => {
  const pieces = ["a".repeat(100_000), "", "é".repeat(1000), "b"].map(toByteText);
  for (const each of [
    pieces,
    pieces.map(bytesOfPiece),
    [...pieces.map(bytesOfPiece).slice(0, 3), ...pieces.slice(3)],
  ]) {
    const open = await openGzip(each, wanted);
    expect(gunzipSync(Buffer.concat(closeGzip(open, toByteText("}")))).toString("latin1")).toBe(`${pieces.join("")}}`);
  }
});

it("compresses no further piece once it is cancelled", async () => {
  const pieces = Array.from({ length: 10 }, () => toByteText("x".repeat(1000)));
  const left = new Error("all clients have left");
  let begun = 0;
  const cancelled = {
    get reason() {
      return begun++ === 3 ? left : undefined;
    },
  };
  await expect(openGzip(pieces, cancelled)).rejects.toBe(left);
  expect(begun).toBe(4);
});
