/** The caller of a request. */
export type Caller =
  /** An unknown caller, by the address (for IPv6 the network) of the request. */
  | { readonly kind: "keyless"; readonly address: string }
  | { readonly kind: "key"; readonly owner: string; readonly keyName: string; readonly plan: string }
  /** A caller without limits; has the address of the request, if known. */
  | { readonly kind: "open"; readonly address?: string };

/** The name under which work of a caller is counted and shared fairly; none without limits. */
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

/** The name under which runs of contract code and reads of the index are shared fairly, also without limits. */
export function runnerName(caller: Caller): string | undefined {
  return caller.kind === "open" && caller.address !== undefined ? `address:${caller.address}` : callerName(caller);
}
