/** The caller of a request. */
export type Caller =
  /** Nobody we know, by the address (IPv6: the network) the request came from. */
  | { readonly kind: "keyless"; readonly address: string }
  | { readonly kind: "key"; readonly owner: string; readonly keyName: string; readonly plan: string }
  /** Limits are off here; the address is that of the request, where there is one. */
  | { readonly kind: "open"; readonly address?: string };

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

/** A name under which runs of contract code are shared fairly, where limits are off too. */
export function runnerName(caller: Caller): string | undefined {
  return caller.kind === "open" && caller.address !== undefined ? `address:${caller.address}` : callerName(caller);
}
