import type { Address } from "../../../model/Address.ts";

/** Each address once, in order. */
export function distinct(of: Iterable<Address | undefined>): readonly Address[] {
  const addresses = new Set<Address>();
  for (const each of of) if (each !== undefined) addresses.add(each);
  return [...addresses];
}
