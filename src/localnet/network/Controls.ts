import { emptyCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import { CodedError } from "../../lib/errors.ts";
import { Slots } from "../../lib/sharing/Slots.ts";
import { runAtOnce } from "../../lib/sharing/steps.ts";
import type { Account } from "../../model/Account.ts";
import { type AccountWrite, makeAccountWrite } from "../../model/AccountWrite.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { coinsOnly } from "../../model/Currency.ts";
import { type Config, configParam, getConfigParam } from "../../model/config/ConfigParams.ts";
import type { Hash } from "../../model/Hash.ts";
import { firstBlockLt, Message } from "../../model/Message.ts";
import type { StateInit } from "../../model/StateInit.ts";
import { writeAccount } from "../../tvm/run/writeAccount.ts";
import { LocalnetError } from "../errors.ts";
import { headView } from "../ledger/ChainView.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import type { ChainClock } from "../rounds/ChainClock.ts";
import type { Impersonated } from "../rounds/Impersonated.ts";
import type { Mempool } from "../rounds/Mempool.ts";

/** A write without the number that distinguishes it from equal ones. */
export type WantedWrite = AccountWrite extends infer Write
  ? Write extends unknown
    ? Omit<Write, "id">
    : never
  : never;

/** An internal message that no account has sent. */
export interface ForgedMessage {
  readonly from: Address;
  readonly to: Address;
  /** In nanocoins; they are created. */
  readonly value: bigint;
  readonly bounce: boolean;
  readonly body?: Cell | undefined;
  readonly init?: StateInit | undefined;
}

/** A control that waits for the next block. */
export interface PostedControl {
  readonly messageHash: Hash;
  /** The masterchain block by which it has happened. */
  readonly done: Promise<number>;
}

export interface ControlModules {
  readonly ledger: Ledger;
  readonly clock: ChainClock;
  readonly mempool: Mempool;
  readonly impersonated: Impersonated;
  /** Reports that there is work for a block. */
  readonly wake: () => void;
  /** Refuses while no block can be written. */
  readonly refuseStalled: () => void;
}

/** Controls that wait for a block at most. */
const maxWaiting = 1_024;

/** The validators of a local network are its own; another address of the configuration would leave it without one. */
const fixedParams = new Set([0, 32, 33, 34, 35, 36, 37]);

/** What the owner of a network does to it without any key. Everything happens in the next block, by messages. */
export class Controls {
  /** One at a time for each account: what is posted may depend on what was posted before. */
  readonly turns = new Slots({ perKey: 1 });
  readonly #modules: ControlModules;
  readonly #waiting = new Set<Hash>();
  #count = 0;

  constructor(modules: ControlModules) {
    this.#modules = modules;
  }

  /** Writes an account in the next block; what cannot be written is refused now. */
  write(address: Address, wanted: WantedWrite): PostedControl {
    return this.#post(address, this.#makeWrite(address, wanted));
  }

  /** Writes whole accounts in one block and deletes others, all or none of them. */
  load(accounts: readonly Account[], deleted: readonly Address[] = []): readonly PostedControl[] {
    const writes = accounts.map((account) => {
      if (account.kind === "none" || typeof account.address !== "string") throw refuse("an account without address");
      return { address: account.address, message: this.#makeWrite(account.address, { kind: "account", account }) };
    });
    const none = { kind: "account", account: { kind: "none" } } as const;
    const deletes = deleted.map((address) => ({ address, message: this.#makeWrite(address, none) }));
    this.#checkRoom(writes.length + deletes.length);
    return [...writes, ...deletes].map(({ address, message }) => this.#post(address, message));
  }

  #makeWrite(address: Address, wanted: WantedWrite): Cell {
    // Another state could be without a parameter that every block needs.
    const isState = wanted.kind !== "balance" && wanted.kind !== "config";
    if (isState && address === this.#configAddress) throw refuse("the configuration is changed by setConfig only");
    const message = makeAccountWrite(address, { ...wanted, id: this.#nextId() } as AccountWrite);
    this.#tryWrite(address, message);
    return message;
  }

  /** Changes a parameter of the configuration, or removes it. */
  setConfig(param: number, value: Cell | undefined): PostedControl {
    if (fixedParams.has(param)) throw refuse(`parameter ${param} of a local network cannot be changed`);
    const codec = Object.entries(configParam).find(([id]) => Number(id) === param)?.[1];
    if (codec !== undefined && value === undefined) throw refuse(`parameter ${param} is needed and cannot be removed`);
    if (codec !== undefined && value !== undefined)
      coded(`the value is not one of parameter ${param}`, () => loadCell<unknown>(codec, value));
    return this.write(this.#configAddress, { kind: "config", param, value });
  }

  /** Changes all parameters to those of a configuration, but for those that cannot be changed. */
  setConfigs({ params }: Config): readonly PostedControl[] {
    const before = headView(this.#modules.ledger).config.params;
    const changes = params.entries().filter(([id, value]) => {
      return !fixedParams.has(id) && before.find(id)?.hash() !== value.hash();
    });
    return changes.map(([id, value]) => this.setConfig(id, value));
  }

  /** Delivers an internal message from any address in the next block. Its coins are created. */
  sendAs({ from, to, value, bounce, body = emptyCell, init }: ForgedMessage): PostedControl {
    const info = {
      kind: "internal" as const,
      ihrDisabled: true,
      bounce,
      bounced: false,
      src: from,
      dest: to,
      value: coinsOnly(value),
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: (this.#nextId() % (firstBlockLt - 1n)) + 1n,
      createdAt: this.#modules.clock.seconds,
    };
    const message = storeCell(Message, { info, init, body, initPlace: "ref", bodyPlace: "ref" });
    return this.#post(to, message);
  }

  /** The same with a message of a jetton, whose supply is raised by what the message gives. */
  sendJettons(message: ForgedMessage, amount: bigint): PostedControl {
    const raise = this.#makeWrite(message.from, { kind: "supply", amount });
    this.#checkHome(message.to);
    this.#checkRoom(2);
    this.#post(message.from, raise);
    return this.sendAs(message);
  }

  /** From now on external messages of this account need no signature. */
  impersonate(address: Address): void {
    this.#modules.impersonated.start(address);
  }

  stopImpersonating(address: Address): void {
    this.#modules.impersonated.stop(address);
  }

  impersonated(): readonly Address[] {
    return this.#modules.impersonated.list();
  }

  #tryWrite(address: Address, message: Cell): void {
    const { ledger, clock } = this.#modules;
    const view = headView(ledger);
    this.#checkHome(address);
    const { genUtime, genLt } = view.state(view.findHome(address) ?? view.head);
    const { config } = view;
    const run = { config, account: view.shardAccount(address), now: Math.max(genUtime, clock.seconds), lt: genLt + 1n };
    coded(`${address} cannot be written`, () => runAtOnce(writeAccount({ ...run, message })));
  }

  get #configAddress(): Address {
    const { config } = headView(this.#modules.ledger);
    return makeAddress(masterchain, getConfigParam(config, 0));
  }

  #checkHome(address: Address): void {
    if (headView(this.#modules.ledger).findHome(address) === undefined)
      throw refuse(`${address} is in a workchain that this network does not have`);
  }

  #checkRoom(count: number): void {
    if (this.#waiting.size + count > maxWaiting)
      throw refuse(`at most ${maxWaiting} controls wait for a block; make one first`);
  }

  #post(dest: Address, cell: Cell): PostedControl {
    const { ledger, mempool, wake, refuseStalled } = this.#modules;
    this.#checkHome(dest);
    this.#checkRoom(1);
    refuseStalled();
    const hash = cell.hash();
    this.#waiting.add(hash);
    const done = new Promise<number>((resolve, reject) => {
      const onLeft = (outcome: "taken" | "dropped"): void => {
        this.#waiting.delete(hash);
        if (outcome === "taken") resolve(ledger.headId.seqno);
        else reject(refuse("the control was dropped: somebody did so, or no block can be made with it"));
      };
      mempool.addControl({ hash, cell, dest, onLeft });
    });
    // Who does not wait for it is not told.
    done.catch(() => {});
    wake();
    return { messageHash: hash, done };
  }

  /** Different for every control of a chain, as far as this process knows. */
  #nextId(): bigint {
    return BigInt(this.#modules.ledger.headId.seqno) * BigInt(maxWaiting) + BigInt(this.#count++ % maxWaiting);
  }
}

function refuse(text: string, cause?: unknown): LocalnetError {
  return new LocalnetError("localnet/control", text, { cause });
}

/** Runs what fails only for wrong input. */
function coded(what: string, run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw refuse(`${what}: ${error.message}`, error);
  }
}
