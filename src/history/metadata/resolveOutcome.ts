import type { JsonObject } from "../../lib/json.ts";
import type { Random } from "../../lib/random.ts";
import { type Backoff, backoffMs } from "../../lib/retry.ts";
import { isSufficient, mergeMetadata } from "./mergeMetadata.ts";
import type { MetadataRow, Subject } from "./Subject.ts";

/** The result of looking for a document. */
export type Outcome =
  | { readonly kind: "fetched"; readonly document: JsonObject }
  /** Everything is on chain. */
  | { readonly kind: "none" }
  /** A final failure is not retried. */
  | { readonly kind: "failed"; readonly isFinal: boolean };

export interface FetchRetries {
  /** How often a document is requested before it is given up. */
  readonly attempts: number;
  readonly backoff: Backoff;
  /** How long a document stays valid. */
  readonly freshSeconds: number;
}

/** Long waits: the host of a token's picture may be down for a day. */
export const fetchRetries: FetchRetries = {
  attempts: 8,
  backoff: { firstMs: 60_000, factor: 4, maxMs: 86_400_000 },
  freshSeconds: 7 * 86_400,
};

const nothing = { name: undefined, description: undefined, symbol: undefined, image: undefined, extra: undefined };

/** The row after an attempt. */
export type ResolvedRow =
  | { readonly kind: "replaced"; readonly row: MetadataRow }
  /** The last success stays while the refresh fails. */
  | { readonly kind: "kept"; readonly row: Pick<MetadataRow, "address" | "type"> & Times };

type Times = Pick<MetadataRow, "expiresAt" | "attempts" | "nextAttemptAt">;

/** The result of an attempt. Complete on-chain content is enough when no document is named or available. */
export function resolveOutcome(
  subject: Subject,
  outcome: Outcome,
  now: number,
  random: Random,
  options: FetchRetries = fetchRetries,
): ResolvedRow {
  const { address, type, content } = subject;
  const document = outcome.kind === "fetched" ? outcome.document : undefined;
  const valid = document !== undefined || isSufficient(type, content);
  const isWell = document !== undefined || (outcome.kind === "none" && valid);
  const isFinal = outcome.kind === "none" || (outcome.kind === "failed" && outcome.isFinal);
  const attempts = isWell ? 0 : subject.attempts + 1;
  const isKept = outcome.kind === "failed" && subject.wasValid;
  const isDone = isWell || isFinal || attempts >= options.attempts;
  const times: Times = {
    // A document that never succeeded is given up for good.
    expiresAt: isDone && (valid || isKept) ? now + spread(options.freshSeconds, random) : undefined,
    attempts: isDone && (valid || isKept) ? 0 : attempts,
    nextAttemptAt: isDone ? undefined : now + Math.ceil(backoffMs(options.backoff, attempts, random) / 1000),
  };
  if (isKept) return { kind: "kept", row: { address, type, ...times } };
  const fields = valid ? mergeMetadata(content, document) : nothing;
  return { kind: "replaced", row: { address, type, updatedAt: now, ...fields, valid, ...times } };
}

/** Tokens that were fetched together are not refreshed at once. */
function spread(seconds: number, random: Random): number {
  return Math.round(seconds * (0.75 + random.next() / 2));
}
