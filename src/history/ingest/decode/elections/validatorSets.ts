import { isCoded } from "../../../../lib/errors.ts";
import { type Config, findConfigParam } from "../../../../model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../../../model/Hash.ts";

/** The parameters with the current, the next and the previous set, in the order in which cycles are read. */
const setParams = [34, 36, 32] as const;

export interface SetMember {
  readonly index: number;
  readonly key: Hash;
  /** Zeros for a validator without one. */
  readonly adnlAddress: Hash;
  readonly weight: bigint;
}

/** A validator set of a configuration. */
export interface ConfiguredSet {
  readonly param: (typeof setParams)[number];
  /** The hash of the parameter's cell, by which the elector names the set. */
  readonly hash: Hash;
  readonly sinceAt: number;
  readonly untilAt: number;
  readonly total: number;
  readonly main: number;
  readonly totalWeight: bigint;
  readonly members: readonly SetMember[];
}

/** The readable sets of a configuration. */
export function listSets(config: Config): readonly ConfiguredSet[] {
  return setParams.flatMap((param) => findReadable(() => readSet(config, param)) ?? []);
}

function readSet(config: Config, param: ConfiguredSet["param"]): ConfiguredSet | undefined {
  const cell = config.params.find(param);
  const set = findConfigParam(config, param);
  if (cell === undefined || set === undefined) return undefined;
  const members = set.list.entries().map(([index, descr]) => ({
    index,
    key: descr.publicKey,
    adnlAddress: descr.kind === "withAddress" ? descr.adnlAddress : zeroHash,
    weight: descr.weight,
  }));
  const { sinceAt, untilAt, total, main } = set;
  const totalWeight = set.kind === "extended" ? set.totalWeight : members.reduce((sum, { weight }) => sum + weight, 0n);
  return { param, hash: cell.hash(), sinceAt, untilAt, total, main, totalWeight, members };
}

/** What is read from data that anybody may have made; `undefined` when it is unreadable. */
export function findReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}
