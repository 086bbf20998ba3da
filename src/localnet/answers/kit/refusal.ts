import { LocalnetError } from "../../errors.ts";

/** The numbers a node's errors carry. */
export const refusalCode = {
  /** A query that cannot be answered as it is asked. */
  badQuery: -400,
  /** An error without a number of its own. */
  plain: 0,
  /** Not here, or not yet. */
  notReady: 651,
  timeout: 652,
} as const;

/** What a node answers with `liteServer.error`: thrown by answers, turned into the answer by `LocalLiteServer`. */
export function refusal(serverCode: number, serverMessage: string): LocalnetError {
  return new LocalnetError("localnet/refusal", serverMessage, { data: { serverCode } });
}

export function badQuery(message: string): LocalnetError {
  return refusal(refusalCode.badQuery, message);
}

export function notReady(message: string): LocalnetError {
  return refusal(refusalCode.notReady, message);
}
