/** Who asks. */
export type Caller =
  /** Nobody we know, by the address (IPv6: the network) the request came from. */
  | { readonly kind: "keyless"; readonly address: string }
  | { readonly kind: "key"; readonly owner: string; readonly keyName: string; readonly plan: string }
  /** Limits are off here. */
  | { readonly kind: "open" };
