import { Type } from "typebox";
import { field, int, nullable } from "../../lib/kit/shape.ts";
import type { PostedControl } from "../../localnet/network/Controls.ts";
import type { Hash } from "../../model/Hash.ts";
import { hash64 } from "../v2/shapes/scalars.ts";
import { typed } from "../v2/shapes/typed.ts";
import type { LocalServices } from "./LocalServices.ts";

/** Longer than a block takes by default. After it the answer says that the control waits for its block. */
const patienceMs = 3_000;

/** A message to the next block, and the masterchain block by which it has happened; none while that is to come. */
export interface MessageOutcome {
  readonly messageHash: Hash;
  readonly masterSeqno: number | undefined;
}

export const status = field({
  schema: Type.Union([Type.Literal("sent"), Type.Literal("pending")]),
  encode: (masterSeqno: number | undefined) => (masterSeqno === undefined ? "pending" : "sent"),
});

/** Of a control that happens in the next block. */
export const controlFields = {
  message_hash: hash64(
    "Hash of the message that does it, in base64.",
    ({ messageHash }: MessageOutcome) => messageHash,
  ),
  status: status(
    "`sent` if its transaction is in a block, `pending` while it waits for one.",
    ({ masterSeqno }: MessageOutcome) => masterSeqno,
  ),
  mc_seqno: nullable(int)(
    "Seqno of the masterchain block by which it has happened; null while it is pending.",
    ({ masterSeqno }: MessageOutcome) => masterSeqno,
  ),
};

/** The answer of a control that happens in the next block. */
export const controlled = typed<MessageOutcome>()("localnet.control", controlFields);

/** Waits for the block of a control, if that comes soon enough. */
export async function awaitControl(
  { messageHash, done }: PostedControl,
  clock: LocalServices["clock"],
): Promise<MessageOutcome> {
  return { messageHash, masterSeqno: await seenWithin(done, clock) };
}

/** The block that has it, if that comes soon enough. */
export function seenWithin(done: Promise<number>, clock: LocalServices["clock"]): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.timer(patienceMs, () => resolve(undefined));
    done.then(resolve, reject).finally(cancel);
  });
}
