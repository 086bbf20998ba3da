/** Values of hex digits by their character codes. */
const digits = new Uint8Array(128);
for (let value = 0; value < 16; value++) {
  digits[value.toString(16).charCodeAt(0)] = value;
  digits[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

/** The first bytes of COPY's binary format: a fixed text, no flags, no extension. */
const header = Uint8Array.of(0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0, ...new Uint8Array(8));
/** Instead of the number of fields, at the end. */
const trailer = -1;
/** Instead of the length of a field. */
const absent = -1;
const firstSize = 1 << 16;
const jsonbVersion = 1;
/** A negative `numeric`. */
const minus = 0x4000;

/** Rows in COPY's binary format, while they are written: each field is its length and its bytes in network order. */
export class CopyBuffer {
  #bytes = Buffer.allocUnsafeSlow(firstSize);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  begin(): void {
    this.#length = 0;
    this.#reserve(header.length);
    this.#bytes.set(header, 0);
    this.#length = header.length;
  }

  /** What was written since `begin`, with the end of the format; valid until the next `begin`. */
  end(): Uint8Array {
    this.row(trailer);
    return this.#bytes.subarray(0, this.#length);
  }

  row(fields: number): void {
    this.#reserve(2);
    this.#view.setInt16(this.#length, fields);
    this.#length += 2;
  }

  absent(): void {
    this.#reserve(4);
    this.#int4(absent);
  }

  int4(value: number): void {
    this.#reserve(8);
    this.#int4(4);
    this.#int4(value);
  }

  int8(value: bigint): void {
    this.#reserve(12);
    this.#int4(8);
    this.#view.setBigInt64(this.#length, value);
    this.#length += 8;
  }

  /** An `int8` of up to 53 bits. */
  int53(value: number): void {
    this.#reserve(12);
    this.#int4(8);
    this.#int4(Math.floor(value / 2 ** 32));
    this.#int4(value);
  }

  double(value: number): void {
    this.#reserve(12);
    this.#int4(8);
    this.#view.setFloat64(this.#length, value);
    this.#length += 8;
  }

  bool(value: boolean): void {
    this.#reserve(5);
    this.#int4(1);
    this.#bytes[this.#length++] = value ? 1 : 0;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(4 + value.length);
    this.#int4(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** Bytes of their hex, which begins at a character of the text; `first` comes before them. */
  hex(text: string, from = 0, first?: number): void {
    const count = (text.length - from) >> 1;
    const before = first === undefined ? 0 : 1;
    this.#reserve(5 + count);
    this.#int4(before + count);
    const bytes = this.#bytes;
    let at = this.#length;
    if (first !== undefined) bytes[at++] = first;
    for (let i = from; i + 1 < text.length; i += 2)
      bytes[at++] = ((digits[text.charCodeAt(i)] as number) << 4) | (digits[text.charCodeAt(i + 1)] as number);
    this.#length = at;
  }

  text(value: string): void {
    // At most three bytes for each unit of UTF-16.
    this.#reserve(4 + value.length * 3);
    const written = this.#bytes.write(value, this.#length + 4);
    this.#int4(written);
    this.#length += written;
  }

  /** The text of a `jsonb`, behind the version of its form. */
  json(text: string): void {
    this.#reserve(5 + text.length * 3);
    const written = this.#bytes.write(text, this.#length + 5);
    this.#int4(1 + written);
    this.#bytes[this.#length] = jsonbVersion;
    this.#length += 1 + written;
  }

  /** A whole number as `numeric`: its digits to the base of 10,000, the first one is the highest. */
  numeric(value: bigint): void {
    const text = String(value);
    const from = value < 0n ? 1 : 0;
    const count = value === 0n ? 0 : (text.length - from + 3) >> 2;
    this.#reserve(12 + 2 * count);
    this.#int4(8 + 2 * count);
    const view = this.#view;
    view.setInt16(this.#length, count);
    view.setInt16(this.#length + 2, count === 0 ? 0 : count - 1);
    view.setInt16(this.#length + 4, from === 1 ? minus : 0);
    // No digits behind the point.
    view.setInt16(this.#length + 6, 0);
    this.#length += 8;
    let digit = 0;
    for (let i = from; count > 0 && i < text.length; i++) {
      digit = digit * 10 + (digits[text.charCodeAt(i)] as number);
      if (((text.length - 1 - i) & 3) !== 0) continue;
      view.setInt16(this.#length, digit);
      this.#length += 2;
      digit = 0;
    }
  }

  /** An array of one dimension without nulls; `type` is the id of its items' type. */
  array<T>(items: readonly T[], type: number, write: (item: T, into: CopyBuffer) => void): void {
    this.#reserve(24);
    const start = this.#length;
    // The length of the field, which is known at the end.
    this.#int4(0);
    this.#int4(items.length === 0 ? 0 : 1);
    // No nulls.
    this.#int4(0);
    this.#int4(type);
    if (items.length > 0) {
      this.#int4(items.length);
      // The number of the first item.
      this.#int4(1);
    }
    for (const item of items) write(item, this);
    this.#view.setInt32(start, this.#length - start - 4);
  }

  #int4(value: number): void {
    this.#view.setInt32(this.#length, value);
    this.#length += 4;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const before = this.#bytes;
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(before.length * 2, this.#length + more));
    this.#bytes.set(before.subarray(0, this.#length));
    this.#view = new DataView(this.#bytes.buffer);
  }
}

/** The beginning of a COPY into these columns of a table. */
export function copyTarget(table: string, columns: readonly string[]): string {
  return `copy ${table} (${columns.map((name) => `"${name}"`).join(", ")})`;
}
