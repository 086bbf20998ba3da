/** Loads what code rarely needs. Only clients load it on demand: see `loadRare.client.ts`. */
export async function loadRare(): Promise<void> {}
