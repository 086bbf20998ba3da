import { describe, expect, it } from "vitest";
import { Buffer as BrowserBuffer } from "../../../src/lib/browser/Buffer.ts";

const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * 7) & 0xff);
const plain = (value: Uint8Array | undefined) => value && Array.from(value);

describe("the Buffer of browsers is like that of Node", () => {
  it.each(["hex", "base64", "base64url", "binary", "utf8"] as const)("in the encoding %s", (encoding) => {
    const text = Buffer.from(bytes).toString(encoding);
    expect(BrowserBuffer.from(bytes).toString(encoding)).toBe(text);
    expect(plain(BrowserBuffer.from(text, encoding))).toEqual(plain(Buffer.from(text, encoding)));
    expect(BrowserBuffer.from(bytes).toString(encoding, 3, 20)).toBe(Buffer.from(bytes).toString(encoding, 3, 20));
  });

  it.each([
    ["hex", "0aF"],
    ["hex", "0axx11"],
    ["base64", "AA-_"],
    ["base64", "AAA"],
    ["base64", "AAAAA"],
    ["base64", "AA==BB"],
    ["base64", ""],
    ["base64url", "_-8"],
    ["utf8", "grüße 🙂"],
  ] as const)("for the %s text %s", (encoding, text) => {
    expect(plain(BrowserBuffer.from(text, encoding))).toEqual(plain(Buffer.from(text, encoding)));
  });

  it("in views, copies and comparisons", () => {
    const [own, node] = [BrowserBuffer.from(bytes), Buffer.from(bytes)];
    const view = own.slice(4, 9);
    view[0] = 1;
    expect([own[4], BrowserBuffer.isBuffer(view), BrowserBuffer.isBuffer(bytes)]).toEqual([1, true, false]);
    const shared = BrowserBuffer.from(bytes.buffer, bytes.byteOffset + 2, 5);
    expect([plain(shared), shared.buffer === bytes.buffer]).toEqual([plain(bytes.subarray(2, 7)), true]);
    const [target, other] = [new Uint8Array(6), new Uint8Array(6)];
    expect(node.copy(other, 2, 10, 40)).toBe(BrowserBuffer.from(bytes).copy(target, 2, 10, 40));
    expect(target).toEqual(other);
    for (const [a, b] of [
      [
        [1, 2],
        [1, 3],
      ],
      [[1, 2], [1]],
      [[], []],
      [[200], [100]],
    ] as const) {
      const [x, y] = [Uint8Array.from(a), Uint8Array.from(b)];
      expect(BrowserBuffer.compare(x, y)).toBe(Buffer.compare(x, y));
      expect(BrowserBuffer.from(x).equals(y)).toBe(Buffer.from(x).equals(y));
    }
    for (const range of [[], [3], [3, 9], [3, 9, 3], [3, 9, 3, 9], [3, 9, 4, 10], [0, 2, 0, 3]] as const)
      expect(BrowserBuffer.from(bytes).compare(bytes, ...range)).toBe(Buffer.from(bytes).compare(bytes, ...range));
    expect(plain(BrowserBuffer.concat([bytes, BrowserBuffer.of(1, 2)]))).toEqual(
      plain(Buffer.concat([bytes, Buffer.of(1, 2)])),
    );
    expect([BrowserBuffer.alloc(3), BrowserBuffer.allocUnsafe(2), BrowserBuffer.allocUnsafeSlow(1)].map(plain)).toEqual(
      [[0, 0, 0], [0, 0], [0]],
    );
  });

  it("in numbers", () => {
    const [own, node] = [BrowserBuffer.alloc(64), Buffer.alloc(64)];
    const write = (
      each: Pick<
        Buffer,
        | "writeUInt8"
        | "writeUInt16BE"
        | "writeUInt32BE"
        | "writeUInt32LE"
        | "writeInt32BE"
        | "writeBigUInt64BE"
        | "writeBigUInt64LE"
        | "writeUIntBE"
      >,
    ) => {
      let at = each.writeUInt8(200, 1);
      at = each.writeUInt16BE(60_000, at);
      at = each.writeUInt32BE(4_000_000_000, at);
      at = each.writeUInt32LE(4_000_000_001, at);
      at = each.writeInt32BE(-5, at);
      at = each.writeBigUInt64BE(2n ** 64n - 3n, at);
      at = each.writeBigUInt64LE(2n ** 63n + 7n, at);
      return each.writeUIntBE(0x123456789abc, at, 6);
    };
    expect(write(own as unknown as Buffer)).toBe(write(node));
    expect(own.write("0badcafe", 50, "hex")).toBe(node.write("0badcafe", 50, "hex"));
    expect(own.write("AQID", "base64")).toBe(node.write("AQID", "base64"));
    expect(plain(own)).toEqual(plain(node));
    const read = (
      each: Pick<
        Buffer,
        "readUInt16BE" | "readUInt32BE" | "readUInt32LE" | "readInt8" | "readInt32BE" | "readBigUInt64BE"
      >,
    ) => [
      each.readUInt16BE(2),
      each.readUInt32BE(4),
      each.readUInt32LE(8),
      each.readInt8(1),
      each.readInt32BE(12),
      each.readBigUInt64BE(16),
    ];
    expect(read(own as unknown as Buffer)).toEqual(read(node));
  });
});
