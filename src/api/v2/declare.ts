import { type CacheRule, provableEndpointsOver } from "../declare/endpoint.ts";
import type { V2Services } from "./Services.ts";

/** Declares an endpoint of v2. */
export const endpoint = provableEndpointsOver<V2Services>();

/** What is read at a given block is immutable; at the newest one it is valid until the next block. */
export function untilNext({ seqno }: { readonly seqno: number | undefined }): CacheRule {
  return seqno === undefined ? "head" : "forever";
}
