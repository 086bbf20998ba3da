import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { PoolStorage } from "../../../src/contracts/families/nominators/poolStorage.ts";
import { plainInit } from "../../../src/localnet/genesis/genesis.ts";
import { signConfigChange } from "../../../src/localnet/network/configChange.ts";
import { makeInternal, type Transfer } from "../../../src/localnet/wallets/transfer.ts";
import { type Address, accountOf, makeAddress } from "../../../src/model/Address.ts";
import { masterchain } from "../../../src/model/block/BlockId.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import { makeStorage } from "../contracts/poolStates.ts";
import type { TestChain } from "./localChain.ts";

const coin = 1_000_000_000n;
/** What a pool keeps of a message. */
export const poolFee = coin;

// SETCP 0; DROP; 32 LDU; SWAP; 1 EQINT; IFNOTRET; LDREF; DROP; 1 PUSHINT; SENDRAWMSG
/** Sends the message in a body with the number 1, and accepts everything else. */
const relayCode = beginCell().storeHex("ff0030d31f01c001ddd43071fb00").cell();

interface Contract {
  readonly address: Address;
  readonly init: StateInit;
}

function contractOf(code: Cell, data: Cell): Contract {
  const init = plainInit(code, data);
  return { address: makeAddress(masterchain, storeCell(StateInit, init).hash()), init };
}

const relayOf = (number: number) => contractOf(relayCode, beginCell().storeUint(number, 32).cell());

const withQuery = (opcode: number, queryId: bigint) => beginCell().storeUint(opcode, 32).storeBigUint(queryId, 64);
const comment = (text: string) => beginCell().storeUint(0, 32).storeBytes(Buffer.from(text)).cell();

/** A message to the pool and who sends it. */
export interface PoolSending {
  readonly by: "validator" | "elector" | "stranger" | number;
  readonly amount: bigint;
  readonly body: Cell;
}

/** The messages that a pool understands. */
export const poolMessages = {
  deposit: (by: number, amount: bigint): PoolSending => ({ by, amount, body: comment("d") }),
  withdraw: (by: number): PoolSending => ({ by, amount: coin, body: comment("w") }),
  processRequests: (): PoolSending => ({
    by: "stranger",
    amount: coin,
    body: withQuery(2, 3n).storeUint(40, 8).cell(),
  }),
  validatorDeposit: (amount: bigint, queryId: bigint): PoolSending => ({
    ...{ by: "validator", amount, body: withQuery(4, queryId).cell() },
  }),
  validatorWithdraw: (amount: bigint, queryId: bigint): PoolSending => ({
    ...{ by: "validator", amount: coin, body: withQuery(5, queryId).storeCoins(amount).cell() },
  }),
  newStake: (amount: bigint, stakeAt: number): PoolSending => ({
    ...{ by: "validator", amount: 2n * coin },
    body: withQuery(0x4e73744b, 7n)
      .storeCoins(amount)
      .storeHex("11".repeat(32))
      .storeUint(stakeAt, 32)
      .storeUint(0x10000, 32)
      .storeHex("22".repeat(32))
      .storeRef(beginCell().storeHex("33".repeat(64)).cell())
      .cell(),
  }),
  accepted: (): PoolSending => ({
    by: "elector",
    amount: coin,
    body: withQuery(0xf374484c, 7n).storeUint(0, 32).cell(),
  }),
  returned: (amount: bigint, queryId: bigint): PoolSending => ({
    ...{ by: "elector", amount, body: withQuery(0xf96f7324, queryId).cell() },
  }),
};

/** A nominator pool on a local chain, whose validator and elector are contracts that send what the test says. */
export class PoolChain {
  readonly #chain: TestChain;
  readonly pool: Address;
  readonly validator = relayOf(1);
  readonly elector = relayOf(2);
  readonly #init: StateInit;

  constructor(chain: TestChain, code: Cell) {
    this.#chain = chain;
    const storage = makeStorage({
      validator: accountOf(this.validator.address),
      config: { minValidatorStake: 1_000n * coin, minNominatorStake: 100n * coin },
      validatorAmount: 0n,
      nominators: [],
    });
    const { address, init } = contractOf(code, storeCell(PoolStorage, storage));
    this.pool = address;
    this.#init = init;
  }

  /** Deploys the contracts and makes one of them the elector of the chain. */
  async deploy(): Promise<void> {
    const { net } = this.#chain;
    await this.#chain.rounds(2);
    const accept = withQuery(1, 0n).cell();
    const silent = beginCell().storeUint(0, 32).cell();
    await this.#chain.send(
      this.#chain.wallet(2),
      { to: this.validator.address, amount: 100_000n * coin, init: this.validator.init, body: silent },
      { to: this.elector.address, amount: 300_000n * coin, init: this.elector.init, body: silent },
      { to: this.pool, amount: 30n * coin, init: this.#init, body: accept },
    );
    await this.idle();
    const change = { seqno: 0, now: net.clock.seconds };
    await this.#chain.submit(signConfigChange(net.keys.owner, 1, accountOf(this.elector.address), change));
    await this.idle();
  }

  /**
   * Sends messages that arrive at the pool in one block, as far as their ways are equal, and waits for their effects.
   */
  async send(...sendings: readonly PoolSending[]): Promise<void> {
    for (const { by, amount, body } of sendings) {
      const transfer = { to: this.pool, amount, bounce: true, body };
      if (typeof by === "number") await this.#chain.send(this.#chain.wallet(by), transfer);
      else await this.#chain.send(this.#chain.wallet(by === "stranger" ? 3 : 2), this.#relayed(by, transfer));
    }
    await this.idle();
  }

  nominator(index: number): Address {
    return this.#chain.wallet(index).address;
  }

  async idle(): Promise<void> {
    do await this.#chain.rounds(1);
    while (this.#chain.net.hasWork);
  }

  #relayed(by: "validator" | "elector" | "stranger", transfer: Transfer): Transfer {
    if (by === "stranger") return transfer;
    const body = beginCell().storeUint(1, 32).storeRef(makeInternal(transfer)).cell();
    return { to: this[by].address, amount: coin, body: body ?? emptyCell };
  }
}
