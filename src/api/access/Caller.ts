/** Who asks. */
export type Caller =
  /** Nobody we know, by the address (IPv6: the network) the request came from. */
  | { readonly kind: "keyless"; readonly address: string }
  | { readonly kind: "key"; readonly owner: string; readonly keyName: string; readonly plan: string }
  /** Limits are off here. */
  | { readonly kind: "open" };

/** A name under which work of a caller is counted and shared fairly; none where limits are off. */
export function callerName(caller: Caller): string | undefined {
  switch (caller.kind) {
    case "key":
      return `owner:${caller.owner}`;
    case "keyless":
      return `address:${caller.address}`;
    case "open":
      return undefined;
  }
}
