import { LocalnetError } from "../../errors.ts";

/** The error numbers of a node. */
export const refusalCode = {
  /** An invalid query. */
  badQuery: -400,
  /** An error without a specific number. */
  plain: 0,
  /** Not available, or not yet. */
  notReady: 651,
  timeout: 652,
} as const;

/** A `liteServer.error` of a node: thrown by answers, turned into the answer by `LocalLiteServer`. */
export function refusal(serverCode: number, serverMessage: string): LocalnetError {
  return new LocalnetError("localnet/refusal", serverMessage, { data: { serverCode } });
}

export function badQuery(message: string): LocalnetError {
  return refusal(refusalCode.badQuery, message);
}

export function notReady(message: string): LocalnetError {
  return refusal(refusalCode.notReady, message);
}
