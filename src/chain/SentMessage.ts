import type { Hash } from "../model/Hash.ts";

/** An external message with the hashes that identify it. */
export interface SentMessage {
  readonly hash: Hash;
  readonly normalizedHash: Hash;
}

/** The process that sent a message and reports on it: this one, or another process of the same index. */
export type SendingProcess = "this" | "other";

/** The progress of a message to the servers. */
export type SendStatus =
  | { readonly kind: "received" }
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly exitCode: number | undefined };
