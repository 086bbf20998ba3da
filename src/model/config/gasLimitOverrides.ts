import { type Address, makeAddress } from "../Address.ts";
import type { Hash } from "../Hash.ts";

interface Override {
  readonly limit: bigint;
  readonly since: number;
  readonly until: number;
}

/**
 * Wallets whose queries had become too many to be cleaned up within the usual limit, with the date until which they
 * could.
 */
const overrides: ReadonlyMap<Address, Override> = new Map(
  [
    ["ffbfd8f5ae5b2e1c7c3614885cb02145483dfaee575f0dd08a72c366369211cd", 70_000_000n, 5, 1_709_164_800],
    ["5e4a5f9dba638789e6770c990d2959237aca3bc19d15a734782c26cb19343cc6", 70_000_000n, 9, 1_740_787_200],
    ["b755c43ee37925c30f547e2991e7c4c18c1ce4ec63eea5743708dbad868369fa", 70_000_000n, 9, 1_740_787_200],
    ["61c016fc8efa241af7eb787451a1e571236dfb3eb389832aec0212c0fb8ac10b", 70_000_000n, 9, 1_740_787_200],
    ["a4a11a78384f92154a0c12761f2f7bc5e374f703335f5bc8f24c2e32ce4f1c26", 70_000_000n, 9, 1_740_787_200],
    ["4de480ab6acefd53c158126ef5c2cdf89fe64d210d0b44da5c90e52c215dce79", 70_000_000n, 9, 1_740_787_200],
    ["436a76c2794a88e3fbfec6b9c0374fc8db046f10868b835420d9937973a665d4", 225_000_000n, 9, 1_740_787_200],
  ].map(([account, limit, since, until]) => [
    makeAddress(0, String(account)),
    { limit: BigInt(limit ?? 0), since: Number(since), until: Number(until) },
  ]),
);

/** All limits of this list are of the past. */
const lastUntil = Math.max(...Array.from(overrides.values(), ({ until }) => until));

/** The gas limit that the network once gave this account instead of the configured one. */
export function gasLimitFor(
  { workchain, id }: { readonly workchain: number; readonly id: Hash },
  version: number,
  now: number,
): bigint | undefined {
  if (now >= lastUntil) return undefined;
  const override = overrides.get(makeAddress(workchain, id));
  return override === undefined || version < override.since || now >= override.until ? undefined : override.limit;
}
