import { readRoot } from "../../../cell/boc.ts";
import { findDecodedBody } from "../../../contracts/decode.ts";
import type { JsonObject } from "../../../contracts/kit/declare.ts";
import { hash, int8, int53 } from "../../store/columns.ts";
import { by, type Direction, type Order } from "./Page.ts";
import { boundedLt } from "./ranges.ts";
import { type Condition, given, type Params } from "./Statement.ts";

/** When the transactions of transfers and burns happened, both ends included. */
export interface EventRange {
  readonly startUtime?: number | undefined;
  readonly endUtime?: number | undefined;
  readonly startLt?: bigint | undefined;
  readonly endLt?: bigint | undefined;
}

/** By logical time, or by time where times are asked for. */
export function eventOrder({ startUtime, endUtime }: EventRange, sort: Direction): Order {
  const byLt = [by("t.tx_lt", int8, sort), by("t.tx_hash", hash, sort)];
  const isByTime = startUtime !== undefined || endUtime !== undefined;
  return isByTime ? [by("t.tx_now", int53, sort), ...byLt] : byLt;
}

export function inRange(params: Params, { startUtime, endUtime, startLt, endLt }: EventRange): readonly Condition[] {
  return [
    given(startUtime, (value) => `t.tx_now >= ${params.of(int53, value)}`),
    given(endUtime, (value) => `t.tx_now <= ${params.of(int53, value)}`),
    given(startLt, (value) => `t.tx_lt >= ${params.of(int8, boundedLt(value))}`),
    given(endLt, (value) => `t.tx_lt <= ${params.of(int8, boundedLt(value))}`),
  ];
}

/** A cell that a transfer carries for somebody else. */
export interface Payload {
  /** Its bag. */
  readonly boc: Uint8Array;
  /** What is known to stand there. */
  readonly decoded: JsonObject | undefined;
}

/** A payload as the tables hold it. */
export function readPayload(boc: Uint8Array | undefined): Payload | undefined {
  return boc && { boc, decoded: findDecodedBody(readRoot(boc)) };
}
