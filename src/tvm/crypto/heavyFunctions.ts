import { type BlsGroup, blsG1, blsG2 } from "./blsGroups.ts";
import { aggregateBls, isPairingOne, verifyAggregate, verifyBls, verifyFastAggregate } from "./blsSignatures.ts";
import * as ristretto255 from "./ristretto255.ts";
import { addTweakToXOnlyKey, recoverPublicKey } from "./secp256k1.ts";

type NamedGroup<Name extends string> = { readonly [M in keyof BlsGroup as `${Name}.${M}`]: BlsGroup[M] };

function named<Name extends string>(name: Name, group: BlsGroup): NamedGroup<Name> {
  const entries = Object.entries(group).map(([method, run]) => [`${name}.${method}`, run] as const);
  // `fromEntries` gives the names no types; they are those of the entries.
  return Object.fromEntries(entries) as NamedGroup<Name>;
}

/** Functions that can take milliseconds, by name. They are pure, and their values can be sent to another thread. */
export const heavyFunctions = {
  ...{ recoverPublicKey, addTweakToXOnlyKey },
  ...ristretto255,
  ...{ aggregateBls, isPairingOne, verifyAggregate, verifyBls, verifyFastAggregate },
  ...named("G1", blsG1),
  ...named("G2", blsG2),
};

export type HeavyFunctions = typeof heavyFunctions;
export type HeavyName = keyof HeavyFunctions;

export interface HeavyCall {
  readonly name: HeavyName;
  readonly args: readonly unknown[];
}

export function callHeavy({ name, args }: HeavyCall): unknown {
  // Whoever makes a call takes its arguments from the function's own type: see `Vm.compute`.
  return (heavyFunctions[name] as (...args: readonly unknown[]) => unknown)(...args);
}
