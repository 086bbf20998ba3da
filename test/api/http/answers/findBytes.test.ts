import { expect, it } from "vitest";
import type { ByteText } from "../../../../src/api/http/answers/byteText.ts";
import { findBytes } from "../../../../src/api/http/answers/findBytes.ts";

const frame = ['{"answer":"', '"}'] as const;

it("has the same bytes however the text is cut", () => {
  for (let length = 0; length < 20; length++) {
    const bytes = Buffer.from(Array.from({ length }, (_, i) => i * 37));
    const text = `${frame[0]}${bytes.toString("base64")}${frame[1]}`;
    for (let size = 1; size <= text.length; size++) {
      const texts = text.match(new RegExp(`.{1,${size}}`, "g")) as unknown as readonly ByteText[];
      for (const pieces of [texts, texts.map((each) => Buffer.from(each))]) {
        const found = findBytes(pieces, frame);
        expect([found.length, Buffer.concat([...found.pieces])]).toEqual([length, bytes]);
      }
    }
  }
});
