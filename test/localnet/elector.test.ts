import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Builder, beginCell, emptyCell } from "../../src/cell/Builder.ts";
import { storeCell } from "../../src/cell/codec.ts";
import { sliceOf } from "../../src/cell/Slice.ts";
import {
  type ElectorStorage,
  findElectorStorage,
  ValidatorComplaint,
} from "../../src/contracts/families/elections/electorStorage.ts";
import { electorAccount } from "../../src/localnet/genesis/genesisConfig.ts";
import { makeSigningKey, type SigningKey } from "../../src/localnet/wallets/SigningKey.ts";
import { makeWallet, type Wallet } from "../../src/localnet/wallets/Wallet.ts";
import { accountOf, makeAddress } from "../../src/model/Address.ts";
import { masterchain } from "../../src/model/block/BlockId.ts";
import { type Hash, hashFromBytes, zeroHash } from "../../src/model/Hash.ts";
import { listTransactions } from "../kit/localnet/ledgerTransactions.ts";
import { type ChainKit, openChainKit, type TestChain } from "../kit/localnet/localChain.ts";

const coin = 1_000_000_000n;
const elector = makeAddress(masterchain, electorAccount);
const keyOf = (number: number) => makeSigningKey(new Uint8Array(32).fill(number));
/** The time from an election to the end of its term, and of the time that stakes are held after it. */
const termSeconds = 65_536 + 32_768;

let kit: ChainKit;
let chain: TestChain;
let holder: Wallet;
let other: Wallet;
let startedAt: number;

beforeAll(async () => {
  kit = await openChainKit();
  chain = await kit.open();
  startedAt = chain.net.clock.seconds;
  holder = makeWallet("v4r2", keyOf(1), { workchain: masterchain });
  other = makeWallet("v4r2", keyOf(2), { workchain: masterchain });
  const fund = ({ address, init }: Wallet) => ({ to: address, amount: 800_000n * coin, init });
  await chain.send(chain.wallet(0), fund(holder));
  await chain.send(chain.wallet(1), fund(other));
  await idle();
});
afterAll(() => kit.close());

async function idle(): Promise<void> {
  do await chain.rounds(1);
  while (chain.net.hasWork);
}

interface Stake {
  readonly by?: Wallet;
  readonly key?: SigningKey;
  readonly signer?: SigningKey;
  readonly at?: number;
  readonly factor?: number;
  readonly queryId?: bigint;
}

const withQuery = (opcode: number, queryId: bigint) => beginCell().storeUint(opcode, 32).storeBigUint(queryId, 64);

function bytesOf(content: Builder): Uint8Array {
  const whole = content.cell();
  return sliceOf(whole).loadBytes(whole.bitLength / 8);
}

function stakeBody(stake: Stake): Builder {
  const { by = holder, key = keyOf(3), signer = key, at = startedAt, factor = 65_536, queryId = 7n } = stake;
  const terms = beginCell().storeUint(at, 32).storeUint(factor, 32);
  const signed = beginCell().storeUint(0x654c5074, 32).storeBuilder(terms).storeHex(accountOf(by.address));
  const signature = signer.sign(bytesOf(signed.storeHex(zeroHash)));
  return withQuery(0x4e73744b, queryId)
    .storeBytes(key.publicKey)
    .storeBuilder(terms)
    .storeHex(zeroHash)
    .storeRef(beginCell().storeBytes(signature).cell());
}

/** The opcode of the elector's answer and what follows the query id; `undefined` for none. */
async function ask(by: Wallet, coins: bigint, body: Builder): Promise<readonly [number, number] | undefined> {
  const before = listTransactions(chain.net.ledger).length;
  await chain.send(by, { to: elector, amount: coins * coin, bounce: true, body: body.cell() });
  await idle();
  const answers = listTransactions(chain.net.ledger)
    .slice(before)
    .flatMap(({ messages }) => {
      const { info, body: answer } = messages.in ?? {};
      if (info?.kind !== "internal" || info.src !== elector || info.dest !== by.address) return [];
      const slice = sliceOf(answer ?? emptyCell);
      const opcode = slice.loadUint(32);
      return [[opcode, slice.remainingBits < 96 ? 0 : slice.skip(64).loadUint(32)] as const];
    });
  expect(answers.length).toBeLessThanOrEqual(1);
  return answers[0];
}

const stake = (coins: bigint, terms: Stake = {}) => ask(terms.by ?? holder, coins, stakeBody(terms));

function storage(): ElectorStorage {
  const account = chain.net.account(elector).account.load();
  const data = account.kind === "account" && account.storage.state.kind === "active" && account.storage.state.init.data;
  const found = data ? findElectorStorage(data) : undefined;
  if (found === undefined) throw new Error("the storage of the elector is not read");
  return found;
}

const accepted = 0xf374484c;
const rejected = 0xee6f454c;
const returned = 0xf96f7324;
const nothing = 0xfffffffe;

describe("stakes on a local network", () => {
  it.each<[string, number, bigint, Stake]>([
    ["not signed by the key", 1, 400_001n, { signer: keyOf(4) }],
    ["for an election that is not announced", 3, 400_001n, { at: 4_000_000_000 }],
    ["below the minimum", 5, 300_000n, {}],
    ["with a factor below one", 6, 400_001n, { factor: 65_535 }],
  ])("are refused when they are %s", async (_, reason, coins, terms) => {
    expect(await stake(coins, terms)).toEqual([rejected, reason]);
    expect(storage().pastElections.entries()).toEqual([]);
  });

  it("are refused from the basechain", async () => {
    const by = chain.wallet(3);
    expect(await ask(by, 400_001n, stakeBody({ by }))).toEqual([rejected, 0]);
  });

  it("are frozen, with an eighth of the fees as the bonus of the election", async () => {
    const before = storage().coins;
    expect(await stake(300_001n)).toEqual([accepted, 0]);
    expect(await stake(100_001n)).toEqual([accepted, 0]);
    const [[electionId, past] = [0, undefined]] = storage().pastElections.entries();
    expect([electionId, past?.unfreezeAt, past?.totalStake]).toEqual([
      startedAt,
      startedAt + termSeconds,
      400_000n * coin,
    ]);
    expect(past?.frozen.entries()).toEqual([
      [
        hashFromBytes(keyOf(3).publicKey),
        { account: accountOf(holder.address), weight: 0n, stake: 400_000n * coin, banned: false },
      ],
    ]);
    expect(past?.bonuses).toBeGreaterThanOrEqual(before / 8n);
  });

  it("are refused for a key of another account, and when they are too small a part of all", async () => {
    expect(await stake(400_001n, { by: other })).toEqual([rejected, 4]);
    expect(await stake(2n)).toEqual([rejected, 2]);
  });

  it("are kept until the term is over, and then returned with the bonus", async () => {
    const recover = withQuery(0x47657424, 9n);
    expect(await ask(holder, 2n, recover)).toEqual([nothing, 0x47657424]);
    const bonus = storage().pastElections.find(startedAt)?.bonuses ?? 0n;
    const before = chain.balance(holder.address);
    chain.net.advanceTime(termSeconds);
    expect(await ask(holder, 2n, withQuery(0x47657424, 9n))).toEqual([returned, 0]);
    const gained = chain.balance(holder.address) - before - 400_000n * coin;
    expect(gained).toBeGreaterThan(bonus - coin);
    expect(gained).toBeLessThan(bonus);
    expect(storage().pastElections.entries()).toEqual([]);
    expect(await ask(other, 2n, withQuery(0x47657424, 9n))).toEqual([nothing, 0x47657424]);
  });
});

describe("complaints on a local network", () => {
  const at = 1_600_000_000;
  const complain = (fine: bigint, { coins = 3n, key = keyOf(3), election = at } = {}) => {
    const complaint = storeCell(ValidatorComplaint, {
      ...{ validatorKey: hashFromBytes(key.publicKey), description: emptyCell, createdAt: 0, severity: 1 },
      ...{ rewardAccount: zeroHash, paid: 0n, suggestedFine: fine * coin, suggestedFinePart: 0 },
    });
    return ask(other, coins, withQuery(0x52674370, 5n).storeUint(election, 32).storeRef(complaint));
  };
  const voteBody = (hash: Hash, election = at, sign = (bytes: Uint8Array) => kit.keys.validator.signBytes(bytes)) => {
    const signed = beginCell().storeUint(0x56744350, 32).storeUint(0, 16).storeUint(election, 32).storeHex(hash);
    return withQuery(0x56744370, 6n)
      .storeBytes(sign(bytesOf(signed)))
      .storeBuilder(signed);
  };
  const taken = 0xf2676350;
  const outcome = 0xd6745240;
  const complaints = () => storage().pastElections.find(at)?.complaints.entries() ?? [];

  beforeAll(async () => {
    expect(await stake(400_001n, { at })).toEqual([accepted, 0]);
  });

  it("are refused with their reasons", async () => {
    expect(await complain(500n, { election: at + 1 })).toEqual([taken - 2, 0x52674370]);
    expect(await complain(500n, { coins: 2n })).toEqual([taken - 5, 0x52674370]);
    expect(await complain(500n, { key: keyOf(4) })).toEqual([taken - 6, 0x52674370]);
    expect(await complain(400_001n)).toEqual([taken - 7, 0x52674370]);
    expect(await complain(1n)).toEqual([taken - 8, 0x52674370]);
    expect(complaints()).toEqual([]);
  });

  it("fine the stake when the validator of the network votes for them", async () => {
    expect(await complain(500n)).toEqual([taken, 0x52674370]);
    const [[hash, status] = [zeroHash, undefined]] = complaints();
    expect(status?.complaint.rewardAccount).toBe(accountOf(other.address));
    expect(await ask(other, 1n, voteBody(zeroHash))).toEqual([outcome - 1, 0x56744370]);
    expect(await ask(other, 1n, voteBody(hash, at + 1))).toEqual([outcome - 2, 0x56744370]);
    // A vote that somebody else signed fails, and its coins bounce.
    expect(
      (
        await ask(
          other,
          1n,
          voteBody(hash, at, (bytes) => keyOf(4).sign(bytes)),
        )
      )?.[0],
    ).toBe(0xffffffff);
    expect(await ask(other, 1n, voteBody(hash))).toEqual([outcome + 2, 0x56744370]);
    expect(await ask(other, 1n, voteBody(hash))).toEqual([outcome, 0x56744370]);
    const past = storage().pastElections.find(at);
    expect([past?.totalStake, past?.frozen.values().map((each) => each.stake)]).toEqual([
      399_500n * coin,
      [399_500n * coin],
    ]);
    expect(storage().credits.entries()).toEqual([[accountOf(other.address), 8n * coin]]);
  });
});
