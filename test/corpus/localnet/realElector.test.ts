import { afterAll, beforeAll, expect, it } from "vitest";
import { describeCorpusPart, readJson } from "../../../kit/suite/corpus.ts";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import { type ElectorStorage, ValidatorComplaint } from "../../../src/contracts/families/elections/electorStorage.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { type Random, seededRandom } from "../../../src/lib/random.ts";
import { systemCodes } from "../../../src/localnet/codes/systemCodes.ts";
import { electionTimes, genesisConfig } from "../../../src/localnet/genesis/genesisConfig.ts";
import { defaultNetworkVersion } from "../../../src/localnet/ledger/networkVersion.ts";
import { LocalValidator } from "../../../src/localnet/rounds/validators.ts";
import { bytesOf, makeRecover, makeStake } from "../../../src/localnet/wallets/stake.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { type Config, getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { ValidatorSet } from "../../../src/model/config/ValidatorSet.ts";
import { type Hash, hashFromBytes, zeroHash } from "../../../src/model/Hash.ts";
import { type LiveExecutor, openExecutor } from "../../../src/tvm/run/openExecutor.ts";
import {
  configAddress,
  type ElectorAnswer,
  ElectorMachine,
  type ElectorRequest,
} from "../../kit/localnet/ElectorMachine.ts";
import { repeats } from "../../kit/suite/everything.ts";

const coin = 1_000_000_000n;
const bornAt = 1_700_000_000;
const newSet = 0x4e565354;
const setTaken = 0xee764f4b;
const setRefused = 0xee764f6f;

let executor: LiveExecutor;
beforeAll(async () => {
  executor = await openExecutor({}, { clock: systemClock });
});
afterAll(() => executor.close());

const validators = Array.from(
  { length: 6 },
  (_, i) => new LocalValidator(new Uint8Array(32).fill(i + 1), String(i).repeat(64) as Hash),
);
const holders = validators.map((_, i) => makeAddress(-1, `${i + 1}`.padStart(64, "a")));
const [firstValidator = new LocalValidator(new Uint8Array(32), zeroHash)] = validators;

/** The elector in question beside our own: both get the same, and must do the same. */
class Comparison {
  readonly #machines: readonly ElectorMachine[];
  readonly #random: Random;
  config: Config;
  now = bornAt;
  /** How many sets the configuration took and refused, and the answers of electors, by opcode. */
  readonly counts: Record<string, number> = {};

  constructor(code: string, random: Random) {
    const codes = [readRoot(fromBase64(systemCodes.elector.boc)), readRoot(fromBase64(code))];
    this.#machines = codes.map((each) => new ElectorMachine(executor, each, bornAt));
    this.#random = random;
    this.config = genesisConfig({
      ...{ globalId: -777, bornAt, splitDepth: 0, globalVersion: defaultNetworkVersion },
      basechainZero: { workchain: 0, shard: 1n << 63n, seqno: 0, rootHash: zeroHash, fileHash: zeroHash },
      ...{ validatorKey: firstValidator.publicKey, validatorAddress: firstValidator.adnlAddress },
    });
  }

  get own(): ElectorMachine {
    const [own] = this.#machines;
    if (own === undefined) throw new Error("no elector");
    return own;
  }

  /** A tick, the answer of the configuration if a set was elected, and the set that becomes current by its time. */
  async tick(): Promise<void> {
    const sent = await this.#all((machine) => machine.tick(this.config, this.now));
    for (const { to, value, body } of sent) {
      expect([to, sliceOf(body).loadUint(32)]).toEqual([configAddress, newSet]);
      await this.#answerSet(body.ref(0), sliceOf(body).skip(32).loadBigUint(64), value);
    }
    this.#installSet();
  }

  async send(request: ElectorRequest): Promise<void> {
    await this.#all((machine) => machine.send(this.config, this.now, request));
  }

  async #answerSet(set: Cell, id: bigint, value: bigint): Promise<void> {
    const isTaken = this.#random.int(5) > 0;
    this.#count(isTaken ? "taken" : "refused");
    if (isTaken) this.config = { params: this.config.params.set(36, set) };
    const body = beginCell()
      .storeUint(isTaken ? setTaken : setRefused, 32)
      .storeBigUint(id, 64)
      .cell();
    await this.send({ from: configAddress, value, body });
  }

  #installSet(): void {
    const { params } = this.config;
    const [next, current] = [params.find(36), params.find(34)];
    if (next === undefined || current === undefined) return;
    if (getConfigParam({ params: params.set(34, next) }, 34).sinceAt > this.now) return;
    this.config = { params: params.set(32, current).set(34, next).delete(36) };
  }

  async #all(run: (machine: ElectorMachine) => Promise<readonly ElectorAnswer[]>): Promise<readonly ElectorAnswer[]> {
    const [own, ...others] = await Promise.all(this.#machines.map(run));
    for (const other of others) expect(describe(other)).toEqual(describe(own ?? []));
    const [ownMachine, ...otherMachines] = this.#machines;
    for (const other of otherMachines) {
      if (other.data.hash() !== ownMachine?.data.hash())
        expect(plain(other.storage)).toEqual(ownMachine && plain(ownMachine.storage));
      expect([other.data.hash(), other.balance]).toEqual([ownMachine?.data.hash(), ownMachine?.balance]);
    }
    for (const { body } of own ?? []) if (body.bitLength >= 32) this.#count(sliceOf(body).loadUint(32).toString(16));
    return own ?? [];
  }

  #count(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
  }
}

function describe(answers: readonly ElectorAnswer[]): readonly unknown[] {
  return answers.map(({ to, value, body }) => [
    to,
    value,
    body.refCount === 0 ? undefined : setOf(body.ref(0)),
    hexOf(body),
  ]);
}

function plain({ election, credits, pastElections, ...rest }: ElectorStorage): object {
  const { members, ...terms } = election?.load() ?? {};
  const past = pastElections.entries().map(([id, { frozen, complaints, ...each }]) => ({
    ...{ id, ...each, frozen: frozen.entries() },
    complaints: complaints
      .entries()
      .map(([hash, { voters, ...status }]) => ({ hash, ...status, voters: voters.entries() })),
  }));
  return { ...rest, credits: credits.entries(), past, election: { ...terms, members: members?.entries() } };
}

function setOf(content: Cell): object {
  const { list, ...rest } = loadCell(ValidatorSet, content);
  return { ...rest, list: list.entries() };
}

/** All bits, so that a difference can be read. */
function hexOf(body: Cell): string {
  const slice = sliceOf(body);
  return [slice.loadHex(body.bitLength - (body.bitLength % 4)), body.refCount, body.hash()].join(" ");
}

function pick<T>(random: Random, list: readonly T[]): T {
  const item = list[random.int(list.length)];
  if (item === undefined) throw new Error("an empty list");
  return item;
}

function randomStake(random: Random, { own, now }: Comparison): ElectorRequest {
  const at = random.int(validators.length);
  const by = random.int(10) === 0 ? random.int(holders.length) : at;
  const validator = pick(random, [...validators.slice(at, at + 1), ...(random.int(12) === 0 ? validators : [])]);
  const holder: Address =
    random.int(20) === 0 ? makeAddress(0, `${at}`.padStart(64, "b")) : pick(random, holders.slice(by));
  const openId = own.storage.election?.load().electionId ?? now + 600;
  const electionId = random.int(12) === 0 ? openId + 1 : openId;
  const maxFactor = pick(random, [65_535, 65_536, 65_536, 100_000, 196_608, 196_608, 400_000]);
  const signer = random.int(15) === 0 ? pick(random, holders) : holder;
  const value = BigInt(pick(random, [1, 30, 9_999, 10_001, 40_000, 100_001, 100_001, 250_001, 600_000])) * coin;
  return { from: holder, value, body: makeStake(validator, { holder: signer, electionId, maxFactor }) };
}

function randomComplaint(random: Random, { own }: Comparison): ElectorRequest {
  const ids = [...own.storage.pastElections.keys(), 77];
  const from = random.int(12) === 0 ? makeAddress(0, zeroHash) : pick(random, holders);
  const complaint = storeCell(ValidatorComplaint, {
    validatorKey: pick(random, validators).publicKey,
    description: beginCell().storeUint(random.int(3), 32).storeRef(emptyCell).cell(),
    ...{ createdAt: 0, severity: random.int(5), rewardAccount: zeroHash, paid: 0n },
    suggestedFine: BigInt(pick(random, [0, 1, 500, 5_000, 900_000])) * coin,
    suggestedFinePart: pick(random, [0, 1, 1 << 20, 1 << 30]),
  });
  const body = beginCell().storeUint(0x52674370, 32).storeBigUint(5n, 64).storeUint(pick(random, ids), 32);
  return { from, value: BigInt(pick(random, [1, 2, 3, 10])) * coin, body: body.storeSlice(sliceOf(complaint)).cell() };
}

function randomVote(random: Random, { own, config }: Comparison): ElectorRequest {
  const complaints = own.storage.pastElections
    .entries()
    .flatMap(([id, { complaints: list }]) => list.keys().map((hash): [number, Hash] => [id, hash]));
  const unknown: [number, Hash] = [
    pick(random, [...own.storage.pastElections.keys(), 77]),
    hashFromBytes(random.bytes(32)),
  ];
  const [id, hash] = random.int(6) === 0 || complaints.length === 0 ? unknown : pick(random, complaints);
  const members = getConfigParam(config, 34).list.entries();
  const [index, member] = pick(random, members);
  const voter = validators.find(({ publicKey }) => publicKey === member.publicKey) ?? firstValidator;
  const signer = random.int(10) === 0 ? pick(random, validators) : voter;
  const signed = beginCell().storeUint(0x56744350, 32).storeUint(index, 16).storeUint(id, 32).storeHex(hash);
  const body = beginCell().storeUint(0x56744370, 32).storeBigUint(6n, 64);
  body.storeBytes(signer.signBytes(bytesOf(signed.cell()))).storeBuilder(signed);
  return { from: pick(random, holders), value: coin, body: body.cell() };
}

async function live(comparison: Comparison, random: Random, steps: number): Promise<void> {
  const fees = { from: makeAddress(-1, zeroHash), value: 1_700_000_000n, body: emptyCell };
  for (let step = 0; step < steps; step++) {
    comparison.now += pick(random, [0, 1, 5, 30, 59, 60, 61, 150, 300, electionTimes.electionsStartBefore]);
    await comparison.tick();
    await comparison.send(fees);
    for (let left = random.int(4); left > 0; left--) {
      const isOpen = comparison.own.storage.election !== undefined;
      const kind = random.int(10);
      if (kind < (isOpen ? 6 : 2)) await comparison.send(randomStake(random, comparison));
      else if (kind < 7) await comparison.send({ from: pick(random, holders), value: coin, body: makeRecover() });
      else if (kind < 8) await comparison.send(randomComplaint(random, comparison));
      else await comparison.send(randomVote(random, comparison));
    }
  }
}

interface RecordedCode {
  readonly name: string;
  readonly network: string;
  readonly code_boc: string;
}

describeCorpusPart("the electors of real networks", "staking/contracts.json", (folder) => {
  const { contracts } = readJson(folder, "staking/contracts.json") as { contracts: readonly RecordedCode[] };
  const codes = contracts.filter(({ name }) => name === "Elector");

  it.each(codes)("do what the one of a local network does, with the code of $network", async ({ code_boc: code }) => {
    const counts: Record<string, number> = {};
    for (let seed = 0; seed < repeats({ usual: 3, all: 5 }); seed++) {
      const random = seededRandom(`elections ${seed}`);
      const comparison = new Comparison(code, random);
      await live(comparison, random, 120);
      for (const [name, count] of Object.entries(comparison.counts)) counts[name] = (counts[name] ?? 0) + count;
    }
    // Elections are held, refused and won; stakes are taken, refused and returned; complaints are made and voted on.
    const expected = ["4e565354", "taken", "refused", "f374484c", "ee6f454c", "f96f7324", "fffffffe", "f2676350"];
    for (const name of [...expected, "d6745241", "d6745242"]) expect([name, counts[name] ?? 0]).not.toEqual([name, 0]);
  });
});
