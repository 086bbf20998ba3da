import { crc32c } from "../src/lib/crc.ts";
import { seededRandom } from "../src/lib/random.ts";
import { benchmark } from "./kit/benchmark.ts";

const bytes = seededRandom("crc").bytes(512 * 1024);
const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** The usual implementation: one table, one byte per step. */
function bytewise(): number {
  let crc = -1;
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

export const benchmarks = [
  benchmark({
    name: "crc32c of half a megabyte",
    group: "crc",
    unit: "MB/s",
    amount: bytes.length / 1e6,
    baseline: { name: "one byte a step", run: bytewise },
    subject: { run: () => crc32c(bytes) },
    mark: 2,
  }),
];
