import type { Cell } from "../../src/cell/Cell.ts";
import { cell as cellCodec, storeCell } from "../../src/cell/codec.ts";
import { makeDictionary } from "../../src/cell/dictionary.ts";
import { hashKey, intKey, uintKey } from "../../src/cell/keys.ts";
import { makeLinked } from "../../src/cell/linked.ts";
import { readElectorState } from "../../src/contracts/families/elections/ElectorState.ts";
import {
  ComplaintStatus,
  CurrentElection,
  ElectorStorage,
  Frozen,
  Member,
  PastElection,
} from "../../src/contracts/families/elections/electorStorage.ts";
import {
  findElectionOf,
  makeCycleRow,
  makeElectionRows,
  makeMemberRows,
} from "../../src/history/ingest/decode/elections/electionRows.ts";
import { listSets } from "../../src/history/ingest/decode/elections/validatorSets.ts";
import { hashElection } from "../../src/history/ingest/states/electionChange.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { Coins } from "../../src/model/Currency.ts";
import { type Config, configFromRoot, configParam } from "../../src/model/config/ConfigParams.ts";
import { ValidatorDescr, type ValidatorSet } from "../../src/model/config/ValidatorSet.ts";
import { type Hash, hashFromBytes } from "../../src/model/Hash.ts";
import { median } from "../kit/benchmark.ts";
import { cpuSeconds } from "../kit/cpuSeconds.ts";

const validators = 400;
/** Rounds that the elector still holds. */
const heldRounds = 3;

/** The data of an elector after each stake of a round and after its end, and the configuration with the new set. */
interface ElectionRound {
  readonly states: readonly Cell[];
  readonly config: Config;
}

function makeRound(): ElectionRound {
  const random = seededRandom("election");
  const anyHash = (): Hash => hashFromBytes(random.bytes(32));
  const sets = Array.from({ length: heldRounds }, (_, at) => makeSet(at, anyHash));
  const past = makeDictionary(
    uintKey(32),
    PastElection,
    sets.map((set, at): [number, PastElection] => [at + 1, makePast(set, anyHash)]),
  );
  let members = makeDictionary(hashKey, Member, []);
  const states: Cell[] = [];
  for (let at = 0; at <= validators; at++) {
    const isEnd = at === validators;
    if (!isEnd) {
      const stake = { stake: 10n ** 15n + BigInt(at), stakedAt: at, maxFactor: 196_608 };
      members = members.set(anyHash(), { ...stake, account: anyHash(), adnlAddress: anyHash() });
    }
    const totals = { minStake: 3n * 10n ** 14n, totalStake: BigInt(at) * 10n ** 15n, failed: false, finished: isEnd };
    const election = makeLinked(CurrentElection, { electionId: 99, closesAt: 90, members, ...totals });
    const credits = makeDictionary(hashKey, Coins, []);
    const rest = { coins: BigInt(at), activeId: 1, activeHash: anyHash() };
    states.push(storeCell(ElectorStorage, { election, credits, pastElections: past, ...rest }));
  }
  // A block is hashed when it is verified.
  for (const state of states) state.hash();
  return { states, config: makeConfig(sets) };
}

function makeSet(at: number, anyHash: () => Hash): ValidatorSet {
  const list = Array.from({ length: validators }, (_, index): [number, ValidatorDescr] => {
    return [index, { kind: "withAddress", publicKey: anyHash(), weight: 1n << 51n, adnlAddress: anyHash() }];
  });
  return {
    ...{ kind: "extended", sinceAt: at * 65_536, untilAt: (at + 1) * 65_536, total: validators, main: 100 },
    ...{ totalWeight: BigInt(validators) << 51n, list: makeDictionary(uintKey(16), ValidatorDescr, list) },
  };
}

function makePast(set: ValidatorSet, anyHash: () => Hash): PastElection {
  const frozen = set.list.values().map(({ publicKey, weight }): [Hash, Frozen] => {
    return [publicKey, { account: anyHash(), weight, stake: 10n ** 15n, banned: false }];
  });
  return {
    ...{ unfreezeAt: 9, stakeHeldFor: 8, setHash: storeCell(configParam[34], set).hash(), bonuses: 0n },
    frozen: makeDictionary(hashKey, Frozen, frozen),
    totalStake: BigInt(validators) * 10n ** 15n,
    complaints: makeDictionary(hashKey, ComplaintStatus, []),
  };
}

function makeConfig(sets: readonly ValidatorSet[]): Config {
  const params = [34, 36, 32].map((id, at): [number, Cell] => {
    const set = sets[at];
    if (set === undefined) throw new Error("a set for each parameter");
    return [id, storeCell(configParam[34], set)];
  });
  const { root } = makeDictionary(intKey(32), cellCodec, params);
  if (root === undefined) throw new Error("the configuration has parameters");
  return configFromRoot(root);
}

/** Reads a round as an index does: each change of the election, and the sets at two key blocks. Returns the rows. */
function readRound({ states, config }: ElectionRound): number {
  let rows = 0;
  let before: Cell | undefined;
  for (const [at, data] of states.entries()) {
    if (before !== undefined && hashElection(before) === hashElection(data)) continue;
    const election = readElectorState(data)?.election;
    const earlier = before && readElectorState(before)?.election;
    rows += election === undefined ? 0 : makeElectionRows(election, earlier, at).participants.length;
    before = data;
  }
  const state = before && readElectorState(before);
  for (let key = 0; key < 2; key++) {
    for (const set of listSets(config)) {
      const election = state && findElectionOf(state, set);
      makeCycleRow(set, election, config, key);
      rows += makeMemberRows(set, election?.[1]).length;
    }
  }
  return rows;
}

/** CPU time in milliseconds to read one round of elections. */
export async function measureElectionRound(): Promise<number> {
  const round = makeRound();
  const times: number[] = [];
  for (let at = 0; at < 8; at++) {
    const { seconds } = await cpuSeconds(async () => void readRound(round));
    // The first rounds warm up.
    if (at >= 3) times.push(seconds * 1_000);
  }
  return median(times);
}
