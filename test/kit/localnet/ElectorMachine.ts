import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { type ElectorStorage, findElectorStorage } from "../../../src/contracts/families/elections/electorStorage.ts";
import { plainInit } from "../../../src/localnet/genesis/genesis.ts";
import { configAccount, electorAccount } from "../../../src/localnet/genesis/genesisConfig.ts";
import { Account, type ShardAccount } from "../../../src/model/Account.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { coinsOnly } from "../../../src/model/Currency.ts";
import type { Config } from "../../../src/model/config/ConfigParams.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { Message } from "../../../src/model/Message.ts";
import type { Executor, TransactionOutcome } from "../../../src/tvm/Executor.ts";

const coin = 1_000_000_000n;
const elector = makeAddress(-1, electorAccount);
export const configAddress = makeAddress(-1, configAccount);

/** A message that an elector sends, and all that it says. */
export interface ElectorAnswer {
  readonly to: Address;
  readonly value: bigint;
  readonly body: Cell;
}

export interface ElectorRequest {
  readonly from: Address;
  readonly value: bigint;
  readonly body: Cell;
}

/** The code of an elector on the machine alone, without a chain: its messages and ticks are what a test says. */
export class ElectorMachine {
  readonly #executor: Executor;
  #account: ShardAccount;
  #lt = 1_000_000n;

  constructor(executor: Executor, code: Cell, bornAt: number) {
    this.#executor = executor;
    // elect:(Maybe ^CurrentElection) credits:(HashmapE 256 Grams) past_elections:(HashmapE 32 PastElection) grams:Grams
    //   active_id:uint32 active_hash:uint256
    const data = beginCell()
      .storeUint(0, 3)
      .storeCoins(900n * coin)
      .storeUint(0, 32)
      .storeHex(zeroHash)
      .cell();
    const init = { ...plainInit(code, data), special: { tick: true, tock: false } };
    const account: Account = {
      kind: "account",
      address: elector,
      storageInfo: {
        used: { cells: 0, bits: 0 },
        extra: { kind: "none" },
        lastPaid: bornAt,
        duePayment: undefined,
      },
      storage: { lastTransactionLt: 0n, balance: coinsOnly(1_000n * coin), state: { kind: "active", init } },
    };
    this.#account = {
      account: makeLinked(Account, account),
      lastTransactionHash: zeroHash,
      lastTransactionLt: 0n,
    };
  }

  get data(): Cell {
    const account = this.#account.account.load();
    const state = account.kind === "account" ? account.storage.state : undefined;
    if (state?.kind !== "active" || state.init.data === undefined) throw new Error("the elector has no data");
    return state.init.data;
  }

  get balance(): bigint {
    const account = this.#account.account.load();
    return account.kind === "account" ? account.storage.balance.coins : 0n;
  }

  get storage(): ElectorStorage {
    const storage = findElectorStorage(this.data);
    if (storage === undefined) throw new Error("the storage of the elector has another layout");
    return storage;
  }

  async tick(config: Config, now: number): Promise<readonly ElectorAnswer[]> {
    return this.#take(await this.#executor.runTickTock({ ...this.#run(config, now), which: "tick" }));
  }

  async send(config: Config, now: number, { from, value, body }: ElectorRequest): Promise<readonly ElectorAnswer[]> {
    const message = storeCell(Message, {
      info: {
        ...{ kind: "internal", ihrDisabled: true, bounce: true, bounced: false, src: from, dest: elector },
        ...{ value: coinsOnly(value), extraFlags: 0n, fwdFee: 0n, createdLt: this.#lt, createdAt: now },
      },
      ...{ init: undefined, body, initPlace: "inline", bodyPlace: "ref" },
    });
    return this.#take(await this.#executor.runTransaction({ ...this.#run(config, now), message }));
  }

  #run(config: Config, now: number) {
    this.#lt += 1_000n;
    return { account: this.#account, config, now, lt: this.#lt, randomSeed: zeroHash };
  }

  #take(outcome: TransactionOutcome): readonly ElectorAnswer[] {
    if (outcome.kind !== "done") throw new Error(outcome.reason);
    this.#account = outcome.account;
    return outcome.transaction.messages.out.values().map((each): ElectorAnswer => {
      const { info, body } = each;
      if (info.kind !== "internal" || typeof info.dest !== "string")
        throw new Error("the elector sends an external message");
      return { to: info.dest, value: info.value.coins, body };
    });
  }
}
