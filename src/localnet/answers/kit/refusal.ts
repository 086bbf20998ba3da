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

/** The node's error for bytes that are not a bag of cells. */
export function bocError(bytes: Uint8Array): string {
  const head = "cannot deserialize bag-of-cells: ";
  if (bytes.length < 4) return `${head}not enough bytes (${bytes.length} present, 10 required)`;
  return `${head}invalid header, error 0`;
}
