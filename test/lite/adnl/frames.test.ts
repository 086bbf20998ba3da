import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concatBytes } from "../../../src/lib/bytes.ts";
import { clientSession, serverSession } from "../../../src/lite/adnl/cipher.ts";
import { AdnlFrameReader, decodeFrame, encodeFrame, FrameWriter } from "../../../src/lite/adnl/frames.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const parameters = Uint8Array.from({ length: 160 }, (_, index) => index);
const nonce = new Uint8Array(32).fill(9);
const plain = (bytes: Uint8Array) => bytes;
const payloads = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 });

/** The stream split at the given positions. */
function cut(stream: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...places.map((place) => place % (stream.length + 1)), 0, stream.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => stream.subarray(at[index], end));
}

function readAll(reader: AdnlFrameReader): Uint8Array[] {
  const read: Uint8Array[] = [];
  for (let payload = reader.next(); payload !== undefined; payload = reader.next()) read.push(payload);
  return read;
}

describe("FrameReader", () => {
  it("returns the sent payloads, however the stream is split", () => {
    fc.assert(
      fc.property(payloads, fc.array(fc.nat(), { maxLength: 40 }), (sent, places) => {
        const writer = new FrameWriter(clientSession(parameters).encrypt, 1_000);
        const stream = concatBytes(sent.map((payload) => writer.frame(payload, nonce)));
        const reader = new AdnlFrameReader(serverSession(parameters).decrypt, 1_000);
        const read = cut(stream, places).flatMap((chunk) => {
          reader.push(chunk);
          return readAll(reader);
        });
        expect(read).toEqual(sent);
      }),
      { numRuns: 300 },
    );
  });

  it("returns the sent payloads when they arrive byte by byte", () => {
    const sent = [new Uint8Array(0), new Uint8Array(40_000).fill(5), new Uint8Array(1)];
    const stream = concatBytes(sent.map((payload) => encodeFrame(payload, nonce)));
    const reader = new AdnlFrameReader(plain, 40_000);
    const read = Array.from(stream, (byte) => {
      reader.push(Uint8Array.of(byte));
      return readAll(reader);
    }).flat();
    expect(read).toEqual(sent);
  });

  it("rejects a length out of range before the bytes arrive", () => {
    for (const length of [0, 63, 1_065, 0xffffffff]) {
      const reader = new AdnlFrameReader(plain, 1_000);
      const head = new Uint8Array(4);
      new DataView(head.buffer).setUint32(0, length, true);
      reader.push(head);
      expect(refusalCode(() => reader.next())).toBe("lite/frame");
    }
  });

  it("returns the payloads before a broken frame", () => {
    const reader = new AdnlFrameReader(plain, 1_000);
    const broken = encodeFrame(new Uint8Array(8), nonce).slice();
    broken[40] = 1;
    reader.push(concatBytes([encodeFrame(new Uint8Array([7]), nonce), broken]));
    expect(reader.next()).toEqual(new Uint8Array([7]));
    expect(refusalCode(() => reader.next())).toBe("lite/frame");
  });

  it("rejects every changed byte", () => {
    const frame = encodeFrame(new Uint8Array(64).fill(3), nonce);
    fc.assert(
      fc.property(fc.integer({ min: 4, max: frame.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const mutated = frame.slice();
        mutated[at] = (mutated[at] ?? 0) ^ change;
        expect(refusalCode(() => decodeFrame(mutated.subarray(4)))).toBe("lite/frame");
      }),
    );
  });

  it("reads nothing of a stream encrypted for another key", () => {
    const writer = new FrameWriter(clientSession(parameters).encrypt, 1_000);
    const reader = new AdnlFrameReader(clientSession(parameters).decrypt, 1_000);
    reader.push(writer.frame(new Uint8Array(100), nonce));
    expect(refusalCode(() => readAll(reader))).toBe("lite/frame");
  });
});

describe("FrameWriter", () => {
  it("rejects a too long payload and continues as if it had not been there", () => {
    const writer = new FrameWriter(clientSession(parameters).encrypt, 10);
    const reader = new AdnlFrameReader(serverSession(parameters).decrypt, 10);
    expect(refusalCode(() => writer.frame(new Uint8Array(11), nonce))).toBe("lite/frame");
    reader.push(writer.frame(new Uint8Array(10), nonce));
    expect(reader.next()).toEqual(new Uint8Array(10));
  });
});
