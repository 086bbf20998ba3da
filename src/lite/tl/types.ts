import { LiteError } from "../errors.ts";
import { TlReader } from "./TlReader.ts";
import { TlWriter } from "./TlWriter.ts";

/** How values of one TL type are read and written. */
export interface TlType<T> {
  /** The name in a scheme's fields: `int`, `(vector int)`, `tonNode.blockId` (bare), `liteServer.BlockLink` (boxed). */
  readonly name: string;
  read(reader: TlReader): T;
  write(writer: TlWriter, value: T): void;
}

/** The type of the values a declaration reads and writes. */
export type TlValue<D> = D extends TlType<infer T> ? T : never;

export interface TlVector<T> extends TlType<readonly T[]> {
  readonly item: TlType<T>;
}

/** A field that exists when a bit of an earlier `#` field is set: `mode.3?int`. */
export interface TlWhen<T> {
  readonly flags: string;
  readonly bit: number;
  readonly type: TlType<T>;
}

/** `int`: 32 bits, read signed; written signed or unsigned. */
export const int: TlType<number> = {
  name: "int",
  read: (reader) => reader.int(),
  write: (writer, value) => writer.int(value),
};

/** `#`: 32 bits, read unsigned. */
export const nat: TlType<number> = {
  name: "#",
  read: (reader) => reader.nat(),
  write: (writer, value) => writer.int(value),
};

/** `long`: 64 bits, read signed; written signed or unsigned. */
export const long: TlType<bigint> = {
  name: "long",
  read: (reader) => reader.long(),
  write: (writer, value) => writer.long(value),
};

/** `int256`: 32 raw bytes. */
export const int256: TlType<Uint8Array> = {
  name: "int256",
  read: (reader) => reader.fixed(32),
  write: (writer, value) => writer.fixed(value, 32),
};

/** `bytes`: up to 16 MiB; what is read is a view into the input. */
export const bytes: TlType<Uint8Array> = {
  name: "bytes",
  read: (reader) => reader.bytes(),
  write: (writer, value) => writer.bytes(value),
};

/** `string`: UTF-8; invalid bytes are read as replacement characters. */
export const text: TlType<string> = {
  name: "string",
  read: (reader) => reader.text(),
  write: (writer, value) => writer.text(value),
};

/** `true`: has no bytes; its flag is the value. */
export const present: TlType<true> = { name: "true", read: () => true, write: () => {} };

// boolTrue = Bool; boolFalse = Bool;
const boolTrue = 0x997275b5;
const boolFalse = 0xbc799737;

/** `Bool`: one of two constructors. */
export const bool: TlType<boolean> = {
  name: "Bool",
  read: (reader) => {
    const id = reader.nat();
    if (id !== boolTrue && id !== boolFalse) throw unknownConstructor(id, reader);
    return id === boolTrue;
  },
  write: (writer, value) => writer.int(value ? boolTrue : boolFalse),
};

/** `(vector T)`: bare, the count and then the items. */
export function vector<T>(item: TlType<T>): TlVector<T> {
  return {
    item,
    get name() {
      return `(vector ${item.name})`;
    },
    read: (reader) => {
      const values: T[] = [];
      for (let left = reader.count(); left > 0; left--) values.push(item.read(reader));
      return values;
    },
    write: (writer, values) => {
      writer.int(values.length);
      for (const value of values) item.write(writer, value);
    },
  };
}

/** A field that exists when bit `bit` of the field `flags` is set. */
export function when<T>(flags: string, bit: number, type: TlType<T>): TlWhen<T> {
  return { flags, bit, type };
}

/** The bytes of one value. */
export function encode<T>(type: TlType<T>, value: T): Uint8Array {
  const writer = new TlWriter();
  type.write(writer, value);
  return writer.finish();
}

/** The value that the bytes encode; refuses cut, malformed, left-over and too many bytes with `lite/tl`. */
export function decode<T>(type: TlType<T>, input: Uint8Array, maxBytes?: number): T {
  const reader = new TlReader(input, maxBytes);
  const value = type.read(reader);
  reader.end();
  return value;
}

/** The error for an unexpected constructor. */
export function unknownConstructor(id: number, reader: TlReader): LiteError {
  const hex = id.toString(16).padStart(8, "0");
  return new LiteError("lite/tl", `Unknown constructor found 0x${hex} at ${reader.position}`, { data: { id } });
}
