type Encoding = "hex" | "base64" | "base64url" | "utf8" | "binary";

/** Without the static methods of the platform's class, whose types are others. */
const Bytes = Uint8Array as new (
  source: number | ArrayLike<number> | ArrayBufferLike,
  at?: number,
  length?: number,
) => Uint8Array;

/** What this program uses of Node's `Buffer`, for bundles for browsers. */
export class Buffer extends Bytes {
  static from(source: string | ArrayLike<number> | ArrayBufferLike, at?: Encoding | number, length?: number): Buffer {
    if (typeof source === "string") return decode(source, typeof at === "string" ? at : "utf8");
    if (source instanceof ArrayBuffer) return new Buffer(source, typeof at === "number" ? at : 0, length);
    return new Buffer(source);
  }

  static of(...bytes: readonly number[]): Buffer {
    return new Buffer(bytes);
  }

  static alloc(length: number): Buffer {
    return new Buffer(length);
  }

  static allocUnsafe(length: number): Buffer {
    return new Buffer(length);
  }

  static allocUnsafeSlow(length: number): Buffer {
    return new Buffer(length);
  }

  static isBuffer(value: unknown): value is Buffer {
    return value instanceof Buffer;
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const joined = new Buffer(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  static compare(a: Uint8Array, b: Uint8Array): number {
    const shorter = Math.min(a.length, b.length);
    for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return (a[i] ?? 0) < (b[i] ?? 0) ? -1 : 1;
    return Math.sign(a.length - b.length);
  }

  /** A view, unlike that of other arrays of bytes. */
  override slice(from?: number, to?: number): Uint8Array<ArrayBuffer> {
    return this.subarray(from, to) as Uint8Array<ArrayBuffer>;
  }

  override toString(encoding: Encoding = "utf8", from = 0, to = this.length): string {
    return encode(this.subarray(from, to), encoding);
  }

  /** Parts of both, each from its first to its end index. */
  compare(other: Uint8Array, otherFrom = 0, otherTo = other.length, from = 0, to = this.length): number {
    return Buffer.compare(this.subarray(from, to), other.subarray(otherFrom, otherTo));
  }

  equals(other: Uint8Array): boolean {
    return Buffer.compare(this, other) === 0;
  }

  copy(target: Uint8Array, at = 0, from = 0, to = this.length): number {
    const part = this.subarray(from, Math.min(to, from + target.length - at));
    target.set(part, at);
    return part.length;
  }

  write(text: string, at: number | Encoding = 0, encoding: Encoding = "utf8"): number {
    const [from, form] = typeof at === "string" ? [0, at] : [at, encoding];
    return decode(text, form).copy(this, from);
  }

  readUInt16BE(at = 0): number {
    return viewOf(this).getUint16(at);
  }

  readUInt32BE(at = 0): number {
    return viewOf(this).getUint32(at);
  }

  readUInt32LE(at = 0): number {
    return viewOf(this).getUint32(at, true);
  }

  readInt8(at = 0): number {
    return viewOf(this).getInt8(at);
  }

  readInt32BE(at = 0): number {
    return viewOf(this).getInt32(at);
  }

  readBigUInt64BE(at = 0): bigint {
    return viewOf(this).getBigUint64(at);
  }

  writeUInt8(value: number, at = 0): number {
    this[at] = value;
    return at + 1;
  }

  writeUInt16BE(value: number, at = 0): number {
    return this.writeUIntBE(value, at, 2);
  }

  writeUInt32BE(value: number, at = 0): number {
    return this.writeUIntBE(value, at, 4);
  }

  writeUInt32LE(value: number, at = 0): number {
    viewOf(this).setUint32(at, value, true);
    return at + 4;
  }

  writeInt32BE(value: number, at = 0): number {
    return this.writeUIntBE(value >>> 0, at, 4);
  }

  writeBigUInt64BE(value: bigint, at = 0): number {
    viewOf(this).setBigUint64(at, value);
    return at + 8;
  }

  writeBigUInt64LE(value: bigint, at = 0): number {
    viewOf(this).setBigUint64(at, value, true);
    return at + 8;
  }

  writeUIntBE(value: number, at: number, length: number): number {
    if (at < 0 || at + length > this.length) throw new RangeError("a write outside of the buffer");
    let rest = value;
    for (let i = at + length - 1; i >= at; i--) {
      this[i] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    return at + length;
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function encode(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "hex") return Array.from(bytes, (byte) => hexDigits[byte]).join("");
  if (encoding === "utf8") return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  let text = "";
  // In parts: a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  if (encoding === "binary") return text;
  const base64 = btoa(text);
  return encoding === "base64" ? base64 : base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Like Node's: what is no text of the encoding ends it. */
function decode(text: string, encoding: Encoding): Buffer {
  if (encoding === "utf8") return new Buffer(new TextEncoder().encode(text));
  if (encoding === "hex") {
    const digits = /^(?:[0-9a-fA-F]{2})*/.exec(text)?.[0] ?? "";
    return new Buffer(
      Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16)),
    );
  }
  const binary = encoding === "binary" ? text : atob(plainBase64(text));
  const bytes = new Buffer(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function plainBase64(text: string): string {
  const digits = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/[^A-Za-z0-9+/].*$/s, "");
  return digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
}
