import { fileURLToPath } from "node:url";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { hashKey, uintKey } from "../../../src/cell/keys.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import {
  CurrentElection,
  ElectorStorage,
  PastElection,
} from "../../../src/contracts/families/elections/electorStorage.ts";
import { plainInit } from "../../../src/localnet/genesis/genesis.ts";
import { signConfigChange } from "../../../src/localnet/network/configChange.ts";
import { makeInternal, type Transfer } from "../../../src/localnet/wallets/transfer.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { Coins } from "../../../src/model/Currency.ts";
import type { ConfigParamId, ConfigParamValue } from "../../../src/model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import { compileTolk } from "../cell/compileTolk.ts";
import type { TestChain } from "./localChain.ts";

const coin = 1_000_000_000n;
const path = fileURLToPath(new URL("./heldElector.tolk", import.meta.url));

/** Elections of an elector. */
export interface HeldElections {
  readonly election?: CurrentElection;
  readonly past?: readonly [number, PastElection][];
}

/** What a message makes the elector do. */
interface Told {
  readonly state?: HeldElections;
  readonly sends?: readonly Transfer[];
}

export function electorData({ election, past = [] }: HeldElections): Cell {
  return storeCell(ElectorStorage, {
    election: election && makeLinked(CurrentElection, election),
    credits: makeDictionary(hashKey, Coins, []),
    pastElections: makeDictionary(uintKey(32), PastElection, past),
    coins: 0n,
    activeId: 0,
    activeHash: zeroHash,
  });
}

/** An elector of a test, in the configuration of a local network; wallet 0 sends everything. */
export class HeldElector {
  readonly #chain: TestChain;
  readonly address: Address;
  #changes = 0;

  private constructor(chain: TestChain, address: Address) {
    this.#chain = chain;
    this.address = address;
  }

  /** Deploys an elector without elections and makes it the network's. */
  static async open(chain: TestChain): Promise<HeldElector> {
    const init = plainInit(await compileTolk(path), electorData({}));
    const account = storeCell(StateInit, init).hash();
    const elector = new HeldElector(chain, makeAddress(-1, account));
    await elector.#send({ to: elector.address, amount: 500n * coin, init, body: emptyCell });
    await elector.configure(1, account);
    return elector;
  }

  /** Changes the configuration, which makes a key block. */
  async configure<Id extends ConfigParamId>(id: Id, value: ConfigParamValue<Id>): Promise<void> {
    const { net } = this.#chain;
    const options = { seqno: this.#changes++, now: net.clock.seconds };
    await this.#chain.submit(signConfigChange(net.keys.owner, id, value, options));
    await this.#chain.rounds(3);
  }

  /** Sends messages, each with what the elector does then. */
  async tell(...messages: readonly (readonly [body: Cell, told: Told, amount?: bigint])[]): Promise<void> {
    await this.#send(
      ...messages.map(([body, told, amount = 5n * coin]) => ({
        to: this.address,
        amount,
        bounce: true,
        body: beginCell().storeSlice(sliceOf(body)).storeRef(toldCell(told)).cell(),
      })),
    );
  }

  async #send(...transfers: readonly Transfer[]): Promise<void> {
    await this.#chain.send(this.#chain.wallet(0), ...transfers);
    await this.#chain.rounds(4);
  }
}

function toldCell({ state, sends = [] }: Told): Cell {
  const builder = beginCell().storeMaybeRef(state && electorData(state));
  for (const message of sends) builder.storeRef(makeInternal(message));
  return builder.cell();
}

// new_stake#4e73744b query_id:uint64 validator_pubkey:bits256 stake_at:uint32 max_factor:uint32 adnl_addr:bits256 …
export function newStakeBody(queryId: bigint, key: Hash, adnl: Hash, electionId: number): Cell {
  return queryCell(0x4e73744b, queryId, (b) =>
    b.storeHex(key).storeUint(electionId, 32).storeUint(65_536, 32).storeHex(adnl).storeRef(emptyCell),
  );
}

export function queryCell(
  op: number,
  queryId: bigint,
  more: (builder: ReturnType<typeof beginCell>) => unknown = () => undefined,
): Cell {
  const builder = beginCell().storeUint(op, 32).storeBigUint(queryId, 64);
  more(builder);
  return builder.cell();
}
