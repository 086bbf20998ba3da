import { expect } from "vitest";
import type { LiteExchange } from "../../../kit/lite/liteExchanges.ts";
import { fromBase64, fromHex, toBase64, toHex } from "../../../src/lib/bytes.ts";
import { findServerError } from "../../../src/lite/server/LiteServer.ts";
import { waitMasterchainSeqno } from "../../../src/lite/tl/liteQueries.ts";
import { serverError } from "../../../src/lite/tl/liteRecords.ts";
import {
  type DecodedQuery,
  decodeQuery,
  encodeQuery,
  unwrapQuery,
  wrapQuery,
} from "../../../src/lite/tl/queryEnvelope.ts";
import type { TlRecord } from "../../../src/lite/tl/record.ts";
import { decode, encode } from "../../../src/lite/tl/types.ts";
import { boxedToJson } from "./tlJson.ts";

/**
 * Checks both sides of a recorded exchange: bytes decode to the recorded value and encode to the same bytes. Long
 * recordings have no JSON; for them only the bytes are compared.
 */
export function checkExchange(exchange: LiteExchange): void {
  const decoded = decodeQuery(unwrapQuery(fromHex(exchange.request)));
  if (exchange.request_json !== undefined) expect(callsToJson(decoded)).toEqual(exchange.request_json?.calls);
  expect(toHex(wrapQuery(encodeQuery(decoded.query, decoded.args, decoded.wait)))).toBe(exchange.request);
  checkResponse(exchange, decoded);
}

/** Whether the query is malformed on purpose: the `bad` group, and valid queries with trailing bytes. */
export function isBad(exchange: LiteExchange): boolean {
  return exchange.request_json === null || exchange.request_json?.calls.length === 0 || exchange.response === null;
}

/** A malformed query is rejected with the error text of the reference server; without its envelope there is no text. */
export function checkBadExchange(exchange: LiteExchange): void {
  const refusal = refusalOf(() => decodeQuery(unwrapQuery(fromHex(exchange.request))));
  const answer = exchange.response === null ? undefined : findServerError(fromBase64(exchange.response));
  expect(refusal).toMatchObject({ code: "lite/tl", ...(answer === undefined ? {} : { message: answer.message }) });
}

function refusalOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

function checkResponse(exchange: LiteExchange, { query }: DecodedQuery): void {
  const response = fromBase64(exchange.response ?? "");
  const declared: TlRecord<unknown> = findServerError(response) === undefined ? query.answer : serverError;
  const value = decode(declared.boxed, response);
  if (exchange.response_json !== undefined) expect(boxedToJson(declared, value)).toEqual(exchange.response_json);
  expect(toBase64(encode(declared.boxed, value))).toBe(exchange.response);
}

function callsToJson({ wait, query, args }: DecodedQuery): readonly unknown[] {
  const call = boxedToJson(query, args);
  return wait === undefined ? [call] : [boxedToJson(waitMasterchainSeqno, wait), call];
}
