import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { toByteText } from "../../../src/api/http/byteText.ts";
import { closeGzip, openGzip } from "../../../src/api/http/gzip.ts";

it("joins a start and any tail to one gzip file", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.array(fc.string({ unit: "grapheme" })),
      async (begin, tails) => {
        const open = await openGzip(toByteText(begin));
        for (const tail of tails)
          expect(gunzipSync(closeGzip(open, toByteText(tail))).toString("utf8")).toBe(begin + tail);
      },
    ),
  );
});

it("accepts a tail longer than one stored block", async () => {
  const tail = toByteText("é".repeat(70_000));
  const open = await openGzip(toByteText("x".repeat(100_000)));
  expect(gunzipSync(closeGzip(open, tail)).toString("utf8")).toBe("x".repeat(100_000) + "é".repeat(70_000));
});
