import { deriveKeys, type NetworkKeys } from "../../../src/localnet/wallets/networkKeys.ts";

export const testSeed = "test";

let derived: Promise<NetworkKeys> | undefined;

/** The keys of test networks. Deriving takes seconds and they never change, so each process derives them once. */
export function testKeys(): Promise<NetworkKeys> {
  derived ??= deriveKeys(testSeed);
  return derived;
}
