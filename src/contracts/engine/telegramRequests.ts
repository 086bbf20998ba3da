import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";

/** Requests to the Telegram wallet; each has another opcode when it comes from a contract. v3-additions.md §10.6 */
export const telegramRequests = {
  sendOne: { external: 0x63896e75, internal: 0x63896e74 },
  sendMany: { external: 0x73896e75, internal: 0x73896e74 },
  changeKey: { external: 0xfbba99c8, internal: 0xfbba99c7 },
} as const;

const { sendOne, sendMany, changeKey } = telegramRequests;

export const telegramOpcodes: ReadonlySet<number> = new Set(
  Object.values(telegramRequests).flatMap(({ external, internal }) => [external, internal]),
);

/** The signed request of a wallet v5 that a contract brings. */
const signedInternalV5 = 0x73696e74;

/** Requests with a signature of the owner that somebody else may bring. */
export const relayedOpcodes: ReadonlySet<number> = new Set([
  sendOne.internal,
  sendMany.internal,
  changeKey.internal,
  signedInternalV5,
]);

/** More than any wallet sends, even with one message in each. */
const maxChunks = 255;

/** The messages that an external request orders; undefined where the body is no such request. */
// signature:bits512 op:uint32 subwallet_id:uint32 valid_until:uint32 seqno:uint32 …
export function listTelegramOrders(body: Slice): readonly Cell[] | undefined {
  const op = body.skip(512).loadUint(32);
  body.skip(96);
  if (op === changeKey.external) return [];
  // mode:uint8 message:^Cell
  if (op === sendOne.external) return [body.skip(8).loadRef()];
  return op === sendMany.external ? listChunks(body) : undefined;
}

// count:uint8 first:(Maybe ^Chunk)
// _ next:(Maybe ^Chunk) messages:(list of [mode:uint8 message:^Cell], one for each reference left) = Chunk;
function listChunks(body: Slice): readonly Cell[] {
  const cells: Cell[] = [];
  let next = body.skip(8).loadMaybeRef();
  for (let chunks = 0; next !== undefined && chunks < maxChunks; chunks++) {
    const chunk = sliceOf(next);
    next = chunk.loadMaybeRef();
    while (chunk.remainingRefs > 0) cells.push(chunk.skip(8).loadRef());
  }
  return cells;
}
