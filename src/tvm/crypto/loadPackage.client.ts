import * as sha3 from "@noble/hashes/sha3.js";

type Packages = typeof import("./heavyPackages.client.ts").heavyPackages & { readonly sha3: typeof sha3 };

const loaded: Partial<Packages> = { sha3 };

/** Makes packages known that are loaded on demand. */
export function addPackages(packages: Partial<Packages>): void {
  Object.assign(loaded, packages);
}

/** In the place of `loadPackage.ts`, for the client: only what heavy functions need is loaded on demand, with them. */
export function loadPackage<Name extends keyof Packages>(name: Name): Packages[Name] {
  const found = loaded[name];
  if (found === undefined) throw new Error(`${name} is used before it is loaded`);
  return found;
}
