import { describe, expect, it } from "vitest";
import type { StreamBlock } from "../../../src/api/stream/StreamBlock.ts";
import { StreamBlocks } from "../../../src/api/stream/StreamBlocks.ts";
import { makeBlock } from "../../kit/api/stream/fakeIndex.ts";

/** Reads blocks whose text has this many characters, and notes each reading. */
function openBlocks(characters: number) {
  const reads: number[] = [];
  const blocks = new StreamBlocks({
    last: () => 1000,
    readBlock: async (mcSeqno): Promise<StreamBlock> => {
      reads.push(mcSeqno);
      return { ...makeBlock(mcSeqno), block: { json: "b".repeat(characters), transactions: 0 } };
    },
  });
  const readAll = async (from: number, to: number) => {
    for (let seqno = from; seqno <= to; seqno++) await blocks.read(seqno);
    return reads.splice(0);
  };
  return { blocks, reads, readAll };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe("blocks of a hub", () => {
  it("are kept, 64 of them, when they are small", async () => {
    const { readAll } = openBlocks(1000);
    expect(await readAll(1, 65)).toEqual(range(1, 65));
    expect(await readAll(2, 65)).toEqual([]);
    expect(await readAll(1, 1)).toEqual([1]);
  });

  it("are kept up to 32 MB when they are large", async () => {
    // Eight megabytes in memory, and a little more.
    const { readAll } = openBlocks(4 << 20);
    expect(await readAll(1, 10)).toEqual(range(1, 10));
    expect(await readAll(8, 10)).toEqual([]);
    expect(await readAll(7, 7)).toEqual([7]);
  });

  it("include the newest one, whatever its size", async () => {
    const { blocks, reads } = openBlocks(20 << 20);
    await blocks.read(1);
    await blocks.read(2);
    await Promise.all([blocks.read(2), blocks.read(2)]);
    expect(reads).toEqual([1, 2]);
  });
});
