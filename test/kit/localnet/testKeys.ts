import { deriveKeys, type NetworkKeys } from "../../../src/localnet/genesis/networkKeys.ts";

export const testSeed = "test";

let derived: Promise<NetworkKeys> | undefined;

/** The keys of the networks of tests: they take seconds to derive and never change, so a process derives them once. */
export function testKeys(): Promise<NetworkKeys> {
  derived ??= deriveKeys(testSeed);
  return derived;
}
