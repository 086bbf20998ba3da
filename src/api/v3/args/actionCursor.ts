import type { ActionPosition } from "../../../history/queries/actions.ts";
import type { Hash } from "../../../model/Hash.ts";

/*
 * The cursor of a list of actions, as the public service has it: MessagePack in base64url without padding, an array of
 * six: whether the list is by time, whether it descends, the end of the trace, its id, the end of the action, its id.
 */

const arrayOfSix = 0x96;
const no = 0xc2;
const yes = 0xc3;
const bytesShort = 0xc4;
const int64 = 0xd3;

/** How the value behind a first byte is read; other numbers stand in the first byte itself. */
const integers: Readonly<Record<number, readonly [size: number, read: (bytes: DataView, at: number) => bigint]>> = {
  204: [1, (bytes, at) => BigInt(bytes.getUint8(at))],
  205: [2, (bytes, at) => BigInt(bytes.getUint16(at))],
  206: [4, (bytes, at) => BigInt(bytes.getUint32(at))],
  207: [8, (bytes, at) => bytes.getBigUint64(at)],
  208: [1, (bytes, at) => BigInt(bytes.getInt8(at))],
  209: [2, (bytes, at) => BigInt(bytes.getInt16(at))],
  210: [4, (bytes, at) => BigInt(bytes.getInt32(at))],
  [int64]: [8, (bytes, at) => bytes.getBigInt64(at)],
};

export function formatActionCursor({ isByTime, sort, traceEnd, traceId, end, actionId }: ActionPosition): string {
  const flag = (value: boolean) => Buffer.of(value ? yes : no);
  const whole = (value: bigint) => {
    const bytes = Buffer.of(int64, 0, 0, 0, 0, 0, 0, 0, 0);
    bytes.writeBigInt64BE(value, 1);
    return bytes;
  };
  const hash = (value: Hash) => Buffer.concat([Buffer.of(bytesShort, 32), Buffer.from(value, "hex")]);
  const parts = [flag(isByTime), flag(sort === "desc"), whole(traceEnd), hash(traceId), whole(end), hash(actionId)];
  return Buffer.concat([Buffer.of(arrayOfSix), ...parts]).toString("base64url");
}

/** The place that a cursor names; `undefined` for a text that is none. */
export function findActionCursor(text: string): ActionPosition | undefined {
  if (text.length > 200 || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  const reader = new CursorReader(bytes);
  if (reader.byte() !== arrayOfSix) return undefined;
  const [isByTime, isDescending] = [reader.flag(), reader.flag()];
  const [traceEnd, traceId, end, actionId] = [reader.whole(), reader.hash(), reader.whole(), reader.hash()];
  if (isByTime === undefined || isDescending === undefined || traceEnd === undefined || end === undefined)
    return undefined;
  if (traceId === undefined || actionId === undefined || !reader.isAtEnd) return undefined;
  return { isByTime, sort: isDescending ? "desc" : "asc", traceEnd, traceId, end, actionId };
}

/** Reads values one after another; a value of another kind, or behind the end, is `undefined`. */
class CursorReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number | undefined {
    return this.#bytes[this.#at++];
  }

  flag(): boolean | undefined {
    const first = this.byte();
    return first === yes ? true : first === no ? false : undefined;
  }

  whole(): bigint | undefined {
    const first = this.byte();
    if (first === undefined) return undefined;
    if (first < 0x80 || first >= 0xe0) return BigInt.asIntN(8, BigInt(first));
    const [size, read] = integers[first] ?? [];
    if (size === undefined || read === undefined || this.#at + size > this.#bytes.length) return undefined;
    const { buffer, byteOffset, byteLength } = this.#bytes;
    const value = read(new DataView(buffer, byteOffset, byteLength), this.#at);
    this.#at += size;
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }

  hash(): Hash | undefined {
    if (this.byte() !== bytesShort || this.byte() !== 32 || this.#at + 32 > this.#bytes.length) return undefined;
    this.#at += 32;
    return this.#bytes.toString("hex", this.#at - 32, this.#at) as Hash;
  }
}
