/** In the place of `interfaces.ts`, for clients: interfaces are not proved, and take all that is known of contracts. */
export function interfacesOf(): readonly string[] {
  return [];
}
