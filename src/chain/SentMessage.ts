import type { Hash } from "../model/Hash.ts";

/** An external message with the hashes that identify it. */
export interface SentMessage {
  readonly hash: Hash;
  readonly normalizedHash: Hash;
}

/** What happens to a message on its way to the servers. */
export type SendStatus =
  | { readonly kind: "received" }
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly exitCode: number | undefined };
