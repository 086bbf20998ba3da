import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";

/** The payloads of a transfer, as the body of its message has them. */
interface Payloads {
  readonly customPayload: Cell | undefined;
  readonly forwardPayload: Cell | undefined;
}

/**
 * The payload of a transfer as the service shows it. It reads a payload that stands in the body with all references of
 * the body, so that a custom payload, the first of them, is part of it. A payload in a reference is the second one.
 */
export function servedPayload(body: Cell, { customPayload, forwardPayload }: Payloads): Cell | undefined {
  if (customPayload === undefined || forwardPayload === undefined) return forwardPayload;
  // A cell never contains itself: only a payload in a reference has the hash of one.
  if (body.refs()[1]?.hash() === forwardPayload.hash()) return forwardPayload;
  const bits = sliceOf(forwardPayload);
  const shown = beginCell();
  while (bits.remainingBits > 0) shown.storeBit(bits.loadBit());
  for (const ref of [customPayload, ...forwardPayload.refs()]) shown.storeRef(ref);
  return shown.cell();
}
