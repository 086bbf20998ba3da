import type { Hash } from "../model/Hash.ts";

/** An external message with the hashes that identify it. */
export interface SentMessage {
  readonly hash: Hash;
  readonly normalizedHash: Hash;
}
