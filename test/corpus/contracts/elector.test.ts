import { expect, it } from "vitest";
import { describeCorpusPart, readFormat } from "../../../kit/suite/corpus.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import {
  CurrentElection,
  ElectorStorage,
  findElectorStorage,
  type PastElection,
} from "../../../src/contracts/families/elections/electorStorage.ts";
import { formatRawAddress, makeAddress } from "../../../src/model/Address.ts";
import { type Hash, hashToBase64 } from "../../../src/model/Hash.ts";
import { electorState, type RecordedElector } from "../../kit/contracts/electorState.ts";

const holderOf = (account: Hash) => formatRawAddress(makeAddress(-1, account));
const keyOf = (hash: Hash) => hash.toUpperCase();

function electionJson(election: CurrentElection): object {
  const participants = election.members.entries().map(([key, member]) => ({
    validator_pubkey: keyOf(key),
    stake: String(member.stake),
    time: member.stakedAt,
    max_factor: member.maxFactor,
    stake_holder_address: holderOf(member.account),
    adnl_addr: keyOf(member.adnlAddress),
  }));
  const byStake = (a: (typeof participants)[number], b: (typeof participants)[number]) =>
    Number(BigInt(b.stake) - BigInt(a.stake)) || (a.validator_pubkey < b.validator_pubkey ? -1 : 1);
  return {
    election_id: election.electionId,
    elect_close: election.closesAt,
    min_stake: String(election.minStake),
    total_stake: String(election.totalStake),
    failed: election.failed,
    finished: election.finished,
    total_participants: participants.length,
    participants: participants.sort(byStake),
  };
}

function pastJson([electionId, past]: [number, PastElection]): object {
  const frozen = past.frozen.entries();
  const sum = frozen.reduce((total, [, { stake }]) => total + stake, 0n);
  return {
    election_id: electionId,
    unfreeze_at: past.unfreezeAt,
    stake_held: past.stakeHeldFor,
    vset_hash: hashToBase64(past.setHash),
    total_stake: String(past.totalStake),
    bonuses: String(past.bonuses),
    left_over_bits: 0,
    frozen: frozen.map(([key, { account, weight, stake, banned }]) => ({
      validator_pubkey: keyOf(key),
      stake_holder_address: holderOf(account),
      weight: String(weight),
      stake: String(stake),
      banned,
    })),
    complaints: past.complaints.entries(),
    sum_of_frozen_equals_total: sum === past.totalStake,
  };
}

function storageJson(storage: ElectorStorage): object {
  return {
    grams: String(storage.coins),
    active_id: storage.activeId,
    active_hash: hashToBase64(storage.activeHash),
    credits: storage.credits.entries().map(([account, amount]) => ({
      address: holderOf(account),
      amount: String(amount),
    })),
    left_over_bits: 0,
    current_election: storage.election === undefined ? null : electionJson(storage.election.load()),
    past_elections: storage.pastElections.entries().map(pastJson),
  };
}

describeCorpusPart("recorded states of electors", "staking/elector-states.json", (folder) => {
  it("are read to the last bit and stored as they were", () => {
    const states = readFormat(folder, "staking", "elector-states/1").flatMap(({ states: list }) => Object(list));
    expect(states.length).toBeGreaterThan(0);
    for (const state of states as readonly (RecordedElector & { readonly expected: object })[]) {
      const data = electorState(folder, state);
      const storage = findElectorStorage(data);
      if (storage === undefined) throw new Error(`${state.origin} has another layout`);
      expect(storageJson(storage)).toEqual(state.expected);
      expect(storeCell(ElectorStorage, storage).hash()).toBe(data.hash());
      const { election } = storage;
      if (election !== undefined) expect(storeCell(CurrentElection, election.load()).hash()).toBe(election.cell.hash());
    }
  });
});
