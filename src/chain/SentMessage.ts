import type { Hash } from "../model/Hash.ts";

/** A message from outside, by the names it can be found by. */
export interface SentMessage {
  readonly hash: Hash;
  readonly normalizedHash: Hash;
}
