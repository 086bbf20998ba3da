/** Tables of a reflected 32-bit polynomial, eight slices: slice k carries a byte over k further bytes. */
function makeSlices(polynomial: number): Int32Array {
  const slices = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ polynomial : value >>> 1;
    slices[byte] = value;
  }
  for (let at = 256; at < slices.length; at++) {
    const before = slices[at - 256] ?? 0;
    slices[at] = (before >>> 8) ^ (slices[before & 0xff] ?? 0);
  }
  return slices;
}

function makeTable16(polynomial: number): Uint16Array {
  const table = new Uint16Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte << 8;
    for (let bit = 0; bit < 8; bit++) value = (value & 0x8000) === 0 ? value << 1 : (value << 1) ^ polynomial;
    table[byte] = value;
  }
  return table;
}

const slices32 = makeSlices(0xedb88320);
const slices32c = makeSlices(0x82f63b78);
const table16 = makeTable16(0x1021);

/**
 * Eight bytes a step: each byte looks up the slice that carries it to the end of the step. Every index is masked or
 * bounded, so `?? 0` never applies; it satisfies the compiler at no measurable cost.
 */
function reflectedCrc(t: Int32Array, bytes: Uint8Array, start: number, end: number, before = 0): number {
  let crc = ~before;
  let at = start;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const stop = end - 7; at < stop; at += 8) {
    const low = crc ^ view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    crc =
      (t[1792 + (low & 0xff)] ?? 0) ^
      (t[1536 + ((low >>> 8) & 0xff)] ?? 0) ^
      (t[1280 + ((low >>> 16) & 0xff)] ?? 0) ^
      (t[1024 + (low >>> 24)] ?? 0) ^
      (t[768 + (high & 0xff)] ?? 0) ^
      (t[512 + ((high >>> 8) & 0xff)] ?? 0) ^
      (t[256 + ((high >>> 16) & 0xff)] ?? 0) ^
      (t[high >>> 24] ?? 0);
  }
  for (; at < end; at++) crc = (t[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

/** CRC-16/XMODEM (polynomial 0x1021, start 0). */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (table16[(crc >>> 8) ^ byte] ?? 0);
  return crc;
}

/** CRC-32/ISO-HDLC, the IEEE one. */
export function crc32(bytes: Uint8Array): number {
  return reflectedCrc(slices32, bytes, 0, bytes.length);
}

/** CRC-32C (Castagnoli) of the bytes from `start` up to `end`; `before` is that of the bytes before them. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length, before = 0): number {
  return reflectedCrc(slices32c, bytes, Math.max(0, start), Math.min(end, bytes.length), before);
}
