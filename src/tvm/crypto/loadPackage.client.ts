type Packages = typeof import("./heavyPackages.client.ts").heavyPackages & {
  readonly sha3: typeof import("@noble/hashes/sha3.js");
  readonly blake2b: typeof import("@noble/hashes/blake2.js").blake2b;
};

const loaded: Partial<Packages> = {};

/** Makes packages known that are loaded on demand. */
export function addPackages(packages: Partial<Packages>): void {
  Object.assign(loaded, packages);
}

/** A package, if it is loaded. */
export function findPackage<Name extends keyof Packages>(name: Name): Packages[Name] | undefined {
  return loaded[name];
}

/** In the place of `loadPackage.ts`, for the client: packages are loaded with what needs them. */
export function loadPackage<Name extends keyof Packages>(name: Name): Packages[Name] {
  const found = findPackage(name);
  if (found === undefined) throw new Error(`${name} is used before it is loaded`);
  return found;
}
