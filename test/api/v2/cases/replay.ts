import { createHash } from "node:crypto";
import { expect } from "vitest";
import { type Case, gives, refuses } from "./Case.ts";
import { elector, fifth, inBasechain, sent, zeroHash } from "./knownBlocks.ts";

/** A tick of the elector in the newest block: 62 steps. */
const tick = { address: elector, lt: "25000002", hash: "LVDwfk0jaEHTsnPwVG6g/eYFf2FXBt8lORfCrkvZkIU=" };

const gasByFamily = Object.entries({
  ...{ dictionary: 726, cellBuild: 588, jump: 378, cellParse: 332, stack: 304, dictionaryCell: 190, arithmetic: 90 },
  ...{ constant: 88, condition: 54, address: 52, register: 52, varInteger: 52, misc: 26, sliceCompare: 26 },
  ...{ compare: 26, control: 20 },
}).map(([family, gas]) => ({ family, gas }));

const gasByMethod = [
  { method: 0, gas: 2218 },
  { method: null, gas: 786 },
];

const run = {
  "@type": "replay.transaction",
  ...{ is_equal: true, hash: tick.hash, reason: null, exit_code: 0, gas_used: 3004, gas_by_family: gasByFamily },
  gas_by_method: gasByMethod,
  ...{ gas_by_line: [], gas_by_stack: [] },
  ...{ total_steps: 62, failed_step: null, steps: [], cells: [] },
};

const address = {
  type: "slice",
  bits: "9FE0000000000000000000000000000000000000000000000000000000000000001_",
  refs: 0,
  hash: "2OzZJn+N70EedOsLvLHC5IamqhykDvTyIWUIlsefLQY=",
};
const data = {
  type: "cell",
  bits: "0A1C73B00C4000000001F343A3C50A570D2B206A9D525C739E20647248B8658FF7A8CCE83AC84EA2B5D7_",
  refs: 0,
  hash: "i4Hmwuy/x7Sf08ggixdeaKXD3pRqvBYrRrrw8XoRnec=",
};
const step = {
  "@type": "replay.step",
  ...{ index: 22, operation: "CTOS", gas: 118, gas_used: 1484, gas_remaining: 19998516, code_bit: 16 },
  code_hash: "aIOXuBmzaIvTvI/VJ9qkXUZfI8meVx3V0MQPayGOfcI=",
  source: null,
  stack_depth: 4,
  stack: [{ type: "int", value: "73800000800" }, address, { type: "int", value: "2700000000" }, data],
};
const cells = [
  { hash: address.hash, boc: "te6cckEBAQEAJAAAQ5/gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBAmU/Z" },
  { hash: data.hash, boc: "te6cckEBAQEALAAAUwocc7AMQAAAAAHzQ6PFClcNKyBqnVJcc54gZHJIuGWP96jM6DrITqK118aZ2G8=" },
];

/** Base64 of bytes with this hash. */
const bytesOf = (fileHash: string): unknown => ({
  asymmetricMatch: (value: unknown) =>
    createHash("sha256")
      .update(Buffer.from(String(value), "base64"))
      .digest("base64") === fileHash,
  toString: () => `bytes with the hash ${fileHash}`,
});

export const replayCases = {
  replayTransaction: [
    gives(
      "a part of the steps, with the cells on their stacks",
      { ...tick, from: 22, limit: 1 },
      { ...run, steps: [step], cells },
    ),
    gives("no lines where no source is known", { ...tick, from: 62, source: true }, run),
    gives("no step of a line that never begins", { ...tick, break: "main.tolk:3,x:1" }, run),
    gives("no steps beyond the last", { ...tick, from: 62 }, run),
    refuses("no transaction", { address: elector }, 422, "failed to parse lt"),
    refuses("no hash", { address: elector, lt: 25000002 }, 422, "failed to parse hash"),
    refuses("a place that is no line", { ...tick, break: "main.tolk:3,x" }, 422, "failed to parse break"),
    refuses("no step at all", { ...tick, limit: 0 }, 422, "limit should be positive"),
    refuses("too many steps", { ...tick, limit: 1001 }, 422, "limit should be less or equal 1000"),
    refuses("a step below the first", { ...tick, from: -1 }, 422, "from should be non-negative"),
    refuses(
      "a transaction that does not exist",
      { address: elector, lt: 25000002, hash: zeroHash },
      500,
      expect.stringContaining("LITE_SERVER"),
    ),
    refuses(
      "a transaction of the first block, whose state no server has",
      { address: sent.destination, lt: "1000007", hash: "mCToLvwvRiQ2r7NM4NYHoAxzzougQo7POMA3F90BsgA=" },
      404,
      "block not found",
    ),
  ],
  getRawBlock: [
    gives(
      "the file of a block",
      { ...inBasechain, seqno: 5 },
      { "@type": "blocks.raw", id: fifth, bytes: bytesOf(fifth.file_hash) },
    ),
    refuses("no shard", { workchain: 0, seqno: 5 }, 422, "failed to parse shard"),
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
