import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { writeSha256 } from "../../../src/lib/browser/sha256.ts";

/** Also long ones: those of 8 KB and more have a length of another number of bytes. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.nat(70_000).map((length) => new Uint8Array(length).fill(length)),
);

it("is the SHA-256 of the platform, for every length", () => {
  fc.assert(
    fc.property(anyBytes, fc.nat(4), (bytes, at) => {
      const input = Buffer.alloc(bytes.length + 72, 0xff);
      input.set(bytes);
      const output = Buffer.alloc(at + 32);
      writeSha256(input, bytes.length, output, at);
      const digest = createHash("sha256").update(bytes).digest();
      expect(output).toEqual(Buffer.concat([Buffer.alloc(at), digest]));
    }),
  );
});
