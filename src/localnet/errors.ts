import { errorClass, errorCodes, type RoomCode, withData } from "../lib/errors.ts";

/** The error codes of the local network. */
export const localnetErrorCodes = errorCodes({
  /** A recorded chain that cannot be read or is inconsistent. */
  "localnet/import": "caller",
  /** A block that does not follow from the chain. */
  "localnet/block": "ours",
  /** Data that the ledger does not have. */
  "localnet/missing": "caller",
  /** A query that is answered with an error; the data has the node's error number. */
  "localnet/refusal": withData<{ serverCode: number }>("caller"),
  /** A wallet that cannot send what is requested. */
  "localnet/wallet": "caller",
  /** More coins than the faucet sends at once, or none. */
  "localnet/amount": "caller",
  /** A data folder that cannot be used, or contains another chain. */
  "localnet/data": "caller",
  /** Another process uses the data folder. */
  "localnet/locked": withData<{ pid?: number }>("caller"),
  /** A snapshot that is not there, or cannot be made or restored. */
  "localnet/snapshot": "caller",
  /** An impossible change of the chain's time. */
  "localnet/time": "caller",
  /** A control that this network cannot follow. */
  "localnet/control": "caller",
  /** A fork needs something of the network that it continues, and cannot get it. */
  "localnet/origin": "remote",
  /** The chain was closed or destroyed. */
  "localnet/closed": "ours",
});

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly localnet: typeof localnetErrorCodes;
  }
}

export class LocalnetError<Code extends RoomCode<"localnet"> = RoomCode<"localnet">> extends errorClass(
  localnetErrorCodes,
)<Code> {}
