import { readRoot } from "../../../cell/boc.ts";
import { findDecodedBody } from "../../../contracts/decode.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { hash, int8, int53 } from "../../store/schema/columns.ts";
import { by, type Direction, type Order } from "./Page.ts";
import { boundedLt } from "./ranges.ts";
import { type Condition, ifSet, type Params } from "./Statement.ts";

/** Time range of token events, both ends included. */
export interface EventRange {
  readonly startUtime?: number | undefined;
  readonly endUtime?: number | undefined;
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
}

/** By lt, or by time when a time filter is given. */
export function eventOrder({ startUtime, endUtime }: EventRange, sort: Direction): Order {
  const byLt = [by("t.tx_lt", int8, sort), by("t.tx_hash", hash, sort)];
  const isByTime = startUtime !== undefined || endUtime !== undefined;
  return isByTime ? [by("t.tx_now", int53, sort), ...byLt] : byLt;
}

/** The range that the index of the order serves, and the one that is checked. */
export function inRange(
  params: Params,
  { startUtime, endUtime, startLt, endLt }: EventRange,
): { readonly served: readonly Condition[]; readonly checked: readonly Condition[] } {
  const times = [
    ifSet(startUtime, (value) => `t.tx_now >= ${params.of(int53, value)}`),
    ifSet(endUtime, (value) => `t.tx_now <= ${params.of(int53, value)}`),
  ];
  const lts = [
    ifSet(startLt, (value) => `t.tx_lt >= ${params.of(int8, boundedLt(value))}`),
    ifSet(endLt, (value) => `t.tx_lt <= ${params.of(int8, boundedLt(value))}`),
  ];
  const isByTime = startUtime !== undefined || endUtime !== undefined;
  return isByTime ? { served: times, checked: lts } : { served: lts, checked: [] };
}

/** A payload of a transfer. */
export interface Payload {
  /** Its bag. */
  readonly boc: Uint8Array;
  /** The decoded content. */
  readonly decoded: JsonObject | undefined;
}

/** A payload from its column. */
export function readPayload(boc: Uint8Array | undefined): Payload | undefined {
  return boc && { boc, decoded: findDecodedBody(readRoot(boc)) };
}
