import { describe, expect, it } from "vitest";
import { readRoot, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { makeProofCell } from "../../../src/cell/exotic.ts";
import { pruneTree } from "../../../src/cell/merkle/merkleProof.ts";
import { recordBlockPart } from "../../../src/chain/proofs/recordBlockPart.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { checkBlockPart, fetchBlockPart, type PlaceInBlock } from "../../../src/lite/queries/blockPart.ts";
import { blockIdFromTl } from "../../../src/lite/queries/ids.ts";
import { ExchangeRecorder } from "../../../src/lite/server/ExchangeRecorder.ts";
import { ExchangeReplayer } from "../../../src/lite/server/ExchangeReplayer.ts";
import { getBlock } from "../../../src/lite/tl/liteQueries.ts";
import { blockData } from "../../../src/lite/tl/liteRecords.ts";
import { decode, type TlValue } from "../../../src/lite/tl/types.ts";
import { Block, forEachTransaction } from "../../../src/model/block/Block.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { listRecorded } from "../../kit/lite/recordedAnswer.ts";
import { replyTo, ScriptedLite } from "../../kit/lite/ScriptedLite.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const asking = { signal: new AbortController().signal };

function placesIn(data: Uint8Array): readonly { readonly place: PlaceInBlock; readonly cell: Cell }[] {
  const found: { readonly place: PlaceInBlock; readonly cell: Cell }[] = [];
  forEachTransaction(loadCell(Block, readRoot(data)), (cell, account, lt) => {
    found.push({ place: { account, lt }, cell });
  });
  return found;
}

/** The recorded block with the most transactions. */
const [recorded] = listRecorded(getBlock).sort(
  (a, b) => placesIn(b.answer.data).length - placesIn(a.answer.data).length,
);
if (recorded === undefined) throw new Error("no blocks recorded");
const places = placesIn(recorded.answer.data).map(({ place }) => place);
const cells = placesIn(recorded.answer.data).map(({ cell }) => cell);
const id = blockIdFromTl(recorded.args.id);
/** The pruned block in a recording. */
function partIn({ exchanges: [exchange] }: ExchangeRecorder): TlValue<typeof blockData> {
  return decode(blockData.boxed, exchange?.answer ?? new Uint8Array()) as TlValue<typeof blockData>;
}

const nowhere: PlaceInBlock = { account: "ab".repeat(32) as Hash, lt: 7n };

describe("the part of a block in a recording", () => {
  it("has the chosen transactions whole and is smaller than the block", async () => {
    expect(places.length).toBeGreaterThan(2);
    const chosen = places.filter((_, index) => index % 2 === 0);
    const recorder = new ExchangeRecorder(new ScriptedLite([replyTo(getBlock, recorded.answer)]));
    const found = await recordBlockPart({ asking }, recorder, id, chosen);
    expect(partIn(recorder).data.length).toBeLessThan(recorded.answer.data.length);
    const replayed = await fetchBlockPart(new ExchangeReplayer(recorder.exchanges), id, chosen, asking);
    expect(replayed.map((transaction) => transaction?.cell.hash())).toEqual(
      cells.filter((_, index) => index % 2 === 0).map((cell) => cell.hash()),
    );
    expect(replayed).toEqual(checkBlockPart(id, chosen, recorded.answer));
    expect(found).toEqual(replayed);
  });

  it("proves that a place is empty only where the way to it is shown", async () => {
    const recorder = new ExchangeRecorder(new ScriptedLite([replyTo(getBlock, recorded.answer)]));
    expect(await recordBlockPart({ asking }, recorder, id, [nowhere])).toEqual([undefined]);
    const answer = partIn(recorder);
    expect(checkBlockPart(id, [nowhere], answer)).toEqual([undefined]);
    expect(refusalCode(() => checkBlockPart(id, places, answer))).toBe("lite/proof");
  });

  it("is refused where anything below a transaction is left out, and for another block", () => {
    const [first] = cells;
    const inner = first?.refs().find(({ refCount }) => refCount > 0) as Cell;
    const pruned = makeProofCell(
      runAtOnce(pruneTree(readRoot(recorded.answer.data), (cell) => cell.hash() !== inner.hash())),
    );
    const partial = { ...recorded.answer, data: writeBoc(pruned) };
    expect(refusalCode(() => checkBlockPart(id, places.slice(0, 1), partial))).toBe("lite/proof");
    const other = { ...id, rootHash: "ab".repeat(32) as Hash };
    expect(refusalCode(() => checkBlockPart(other, places, recorded.answer))).toBe("lite/proof");
    const wrong = { ...recorded.args.id, rootHash: new Uint8Array(32) };
    expect(refusalCode(() => checkBlockPart(blockIdFromTl(wrong), places, { ...partial, id: wrong }))).toBe(
      "lite/proof",
    );
  });
});
