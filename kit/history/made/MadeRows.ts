import type { EntityRows } from "../../../src/history/entities/indexedEntities.ts";
import { actionTypeCode } from "../../../src/history/store/schema/actionTypeCode.ts";
import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import { noRows, type Writable } from "../../../src/history/store/write/BatchRows.ts";
import { noStateAfter } from "../../../src/history/store/write/statesAfter.ts";
import type { Address } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import type { MadeAction, MadeStep, Party } from "./MadeStep.ts";
import { madeBeginning } from "./madeBeginning.ts";
import { madeBlocks } from "./madeBlocks.ts";
import {
  bodies,
  collectionAt,
  itemAt,
  type MadeAccounts,
  madeHash,
  masterAt,
  messageAt,
  personAt,
  quickRandom,
  recordedDescriptions,
  skewed,
  transactionAt,
  walletAt,
  walletsEach,
} from "./madeChain.ts";
import { emptyBytes, eventOf, stateAt } from "./madeStates.ts";

export const transactionsInBlock = 100;
const idsInBlock = 1 << 20;

export interface MadeOptions {
  /** The first user has this share of what users do: 0.5 gives it about 30 % of all transactions. */
  readonly hotShare?: number;
  /** Logical times from the beginning of a masterchain block to that of the next. */
  readonly blockLts?: number;
}

/**
 * Rows of a synthetic chain, block by block: transfers of coins, jettons and items among few busy and many idle users.
 */
export class MadeRows {
  readonly accounts: MadeAccounts;
  /** Number of transactions so far. */
  count = 0;
  readonly #random = quickRandom(1);
  readonly #descriptions = recordedDescriptions();
  /** Number of states of each account so far, by account number. */
  readonly #states: Uint32Array;
  readonly #lastLt: Float64Array;
  readonly #lastHash: Int32Array;
  readonly #walletSeen: Uint8Array;
  #batch = noRows(0);
  #lt = 0;
  #entities = 0;

  readonly #hotShare: number;
  readonly #blockLts: number;

  constructor(transactions: number, { hotShare = 0, blockLts = 1_000_000 }: MadeOptions = {}) {
    this.#hotShare = hotShare;
    this.#blockLts = blockLts;
    const people = Math.ceil(transactions / 5);
    this.accounts = { people, masters: 200, collections: 500, items: Math.ceil(transactions / 20) };
    const numbers = people * (1 + walletsEach) + this.accounts.items;
    this.#states = new Uint32Array(numbers);
    this.#lastLt = new Float64Array(numbers);
    this.#lastHash = new Int32Array(numbers).fill(-1);
    this.#walletSeen = new Uint8Array(people * walletsEach);
  }

  /** The rows of one masterchain block; call it in the order of blocks. */
  next(mcSeqno: number): BatchRows {
    this.#batch = noRows(mcSeqno);
    const startLt = mcSeqno * this.#blockLts;
    this.#lt = startLt;
    this.#entities = 0;
    if (this.count === 0) {
      const { codes, entities } = madeBeginning(this.accounts, () => this.#nextId());
      this.#batch = { ...this.#batch, codes: [...codes], entities: { ...this.#batch.entities, ...entities } };
    }
    const end = this.count + transactionsInBlock;
    while (this.count < end) this.#trace();
    const { blocks, shardState } = madeBlocks(mcSeqno, startLt, this.#batch.transactions.length);
    return { ...this.#batch, blocks, shardState, latestAccountStates: this.#newest() };
  }

  #entitiesRows(): Writable<EntityRows> {
    return this.#batch.entities as Writable<EntityRows>;
  }

  #nextId(): bigint {
    return BigInt(this.#batch.mcSeqno * idsInBlock + this.#entities++);
  }

  #person(): Party {
    const isHot = this.#hotShare > 0 && this.#random() < this.#hotShare;
    const number = isHot ? 0 : skewed(this.#random, this.accounts.people);
    return { number, address: personAt(number), code: number % 5 };
  }

  #trace(): void {
    const kind = this.#random();
    const sender = this.#person();
    const receiver = this.#person();
    if (kind < 0.4) this.#coins(sender, receiver);
    else if (kind < 0.8) this.#jettons(sender, receiver);
    else if (kind < 0.9) this.#item(sender, receiver);
    else this.#write("call_contract", [{ from: undefined, to: sender, body: bodies.external }], {});
  }

  #coins(sender: Party, receiver: Party): void {
    const steps = [
      { from: undefined, to: sender, body: bodies.external },
      { from: sender, to: receiver, body: bodies.empty },
    ];
    const details = { source: sender.address, destination: receiver.address, value: "1000000000", comment: null };
    this.#write("ton_transfer", steps, details);
  }

  #jettons(sender: Party, receiver: Party): void {
    const slot = Math.floor(this.#random() * walletsEach);
    const [from, to] = [this.#wallet(sender, slot), this.#wallet(receiver, slot)];
    const master = masterAt((slot * 67 + (sender.number % 7)) % this.accounts.masters);
    const first = this.#write(
      "jetton_transfer",
      [
        { from: undefined, to: sender, body: bodies.external },
        { from: sender, to: from, body: bodies.transfer },
        { from, to, body: bodies.internal },
        { from: to, to: receiver, body: bodies.notify },
        { from: to, to: sender, body: bodies.excesses },
      ],
      { asset: master, sender: sender.address, receiver: receiver.address, amount: "1000000000", query_id: "0" },
    );
    const transaction = this.#batch.transactions[first + 1];
    if (transaction === undefined) return;
    this.#batch.jettonTransfers.push({
      ...eventOf(transaction),
      amount: 1_000_000_000n,
      source: sender.address,
      destination: receiver.address,
      sourceWallet: from.address,
      jettonMaster: master,
      responseDestination: sender.address,
      customPayload: undefined,
      forwardTonAmount: 1n,
      forwardPayload: undefined,
    });
  }

  #wallet(owner: Party, slot: number): Party {
    const at = owner.number * walletsEach + slot;
    const address = walletAt(at);
    if (this.#walletSeen[at] === 0) {
      this.#walletSeen[at] = 1;
      this.#entitiesRows().jettonWallets.push({
        address,
        id: this.#nextId(),
        balance: BigInt(at) * 1000n,
        owner: owner.address,
        jetton: masterAt((slot * 67 + (owner.number % 7)) % this.accounts.masters),
        codeHash: madeHash(30, 2),
        dataHash: madeHash(31, at),
        lastTransactionLt: BigInt(this.#lt),
        mintlessIsClaimed: undefined,
        mintlessAmount: undefined,
        mintlessStartFrom: undefined,
        mintlessExpireAt: undefined,
      });
    }
    return { number: this.accounts.people + at, address, code: 6 };
  }

  #item(sender: Party, receiver: Party): void {
    const at = Math.floor(this.#random() * this.accounts.items);
    const { people } = this.accounts;
    const item = { number: people * (1 + walletsEach) + at, address: itemAt(at), code: 7 };
    const collection = collectionAt(at % this.accounts.collections);
    const first = this.#write(
      "nft_transfer",
      [
        { from: undefined, to: sender, body: bodies.external },
        { from: sender, to: item, body: bodies.nftTransfer },
        { from: item, to: receiver, body: bodies.assigned },
      ],
      { nft_item: item.address, nft_collection: collection, old_owner: sender.address, new_owner: receiver.address },
    );
    const transaction = this.#batch.transactions[first + 1];
    if (transaction === undefined) return;
    const place = { nftItem: item.address, nftItemIndex: BigInt(at), nftCollection: collection };
    this.#batch.nftTransfers.push({
      ...eventOf(transaction),
      ...place,
      oldOwner: sender.address,
      newOwner: receiver.address,
      responseDestination: sender.address,
      customPayload: undefined,
      forwardAmount: 1n,
      forwardPayload: undefined,
    });
    this.#entitiesRows().nftItems.push({
      address: item.address,
      id: this.#nextId(),
      init: true,
      index: BigInt(at),
      collectionAddress: collection,
      ownerAddress: receiver.address,
      realOwner: receiver.address,
      content: { uri: `${at}.json` },
      codeHash: madeHash(30, 7),
      dataHash: madeHash(31, at),
      lastTransactionLt: BigInt(this.#lt),
    });
  }

  /** Writes a trace of these steps and its action; returns the index of its first transaction in the block. */
  #write(type: string, steps: readonly MadeStep[], details: BatchRows["actions"][number]["details"]): number {
    const first = this.#batch.transactions.length;
    const traceId = transactionAt(this.count);
    const parties = new Map<number, Party>();
    steps.forEach((step, at) => {
      parties.set(step.to.number, step.to);
      this.#transaction(step, traceId, at === 0);
    });
    const accounts = [...parties.values()].map(({ address }) => address);
    this.#meaning(type, this.#batch.transactions.slice(first), accounts, details);
    return first;
  }

  #transaction({ from, to, body }: MadeStep, traceId: Hash, isFirst: boolean): void {
    const number = this.count++;
    this.#lt += 2;
    const lt = this.#lt;
    const now = 1_700_000_000 + this.#batch.mcSeqno;
    const states = this.#states[to.number] ?? 0;
    const before = stateAt(to.number, states);
    const after = stateAt(to.number, states + 1);
    const isActive = states > 0;
    this.#batch.transactions.push({
      account: to.address,
      lt: BigInt(lt),
      hash: transactionAt(number),
      traceId,
      now,
      blockWorkchain: 0,
      blockShard: to.number % 2 === 0 ? 1n << 62n : 3n << 62n,
      blockSeqno: this.#batch.mcSeqno,
      mcBlockSeqno: this.#batch.mcSeqno,
      prevTransHash: madeHash(6, Math.max(0, this.#lastHash[to.number] ?? 0)),
      prevTransLt: BigInt(this.#lastLt[to.number] ?? 0),
      origStatus: isActive ? "active" : "uninit",
      endStatus: "active",
      totalFees: 2_345_678n,
      totalFeesExtra: undefined,
      stateHashBefore: before,
      stateHashAfter: after,
      aborted: false,
      description: this.#descriptions[number % this.#descriptions.length] ?? emptyBytes,
      inMsgHash: messageAt(number),
      inOpcode: body.opcode && body.opcode | 0,
      ...noStateAfter,
    });
    this.#message(number, { from, to, body }, isFirst ? undefined : transactionAt(number - 1));
    this.#batch.accountStates.push({
      account: to.address,
      hash: after,
      lt: BigInt(lt),
      balance: BigInt(1_000_000_000 + number),
      status: "active",
      balanceExtra: undefined,
      frozenHash: undefined,
      dataHash: madeHash(31, number),
      codeHash: madeHash(30, to.code),
    });
    this.#states[to.number] = states + 1;
    this.#lastLt[to.number] = lt;
    this.#lastHash[to.number] = number;
  }

  #message(number: number, { from, to, body }: MadeStep, sentBy: Hash | undefined): void {
    const isEmpty = body === bodies.empty;
    const bodyHash = isEmpty ? madeHash(8, 0) : madeHash(9, number);
    const isExternal = from === undefined;
    this.#batch.messages.push({
      lt: BigInt(isExternal ? this.#lt : this.#lt - 1),
      hash: messageAt(number),
      source: from?.address,
      destination: to.address,
      bodyHash,
      initHash: undefined,
      hashNorm: isExternal ? madeHash(10, number) : undefined,
      value: isExternal ? undefined : 50_000_000n,
      valueExtra: undefined,
      fwdFee: isExternal ? undefined : 266_669n,
      ihrFee: isExternal ? undefined : 0n,
      extraFlags: undefined,
      createdLt: isExternal ? undefined : BigInt(this.#lt - 1),
      createdAt: isExternal ? undefined : 1_700_000_000 + this.#batch.mcSeqno,
      ihrDisabled: isExternal ? undefined : true,
      bounce: isExternal ? undefined : true,
      bounced: isExternal ? undefined : false,
      importFee: isExternal ? 0n : undefined,
      opcode: body.opcode && body.opcode | 0,
      outTxHash: sentBy,
      outIndex: sentBy && 0,
      body: body.make(number),
      init: undefined,
    });
  }

  #meaning(
    type: string,
    rows: readonly BatchRows["transactions"][number][],
    accounts: readonly Address[],
    details: BatchRows["actions"][number]["details"],
  ): void {
    const [first] = rows;
    const last = rows.at(-1);
    if (first === undefined || last === undefined) return;
    const { traceId, mcBlockSeqno, now } = first;
    this.#batch.traces.push({
      traceId,
      externalHash: first.inMsgHash,
      externalHashNorm: undefined,
      mcSeqnoStart: mcBlockSeqno,
      mcSeqnoEnd: mcBlockSeqno,
      startLt: first.lt,
      startUtime: now,
      endLt: last.lt,
      endUtime: now,
      state: "complete",
      edges: rows.length - 1,
      nodes: rows.length,
      pendingEdges: 0,
      classificationState: "ok",
    });
    const actionId = madeHash(20, this.count);
    this.#batch.actions.push({
      traceId,
      actionId,
      type,
      shownType: type,
      startLt: first.lt,
      endLt: last.lt,
      startUtime: now,
      endUtime: now,
      traceEndLt: last.lt,
      traceEndUtime: now,
      traceMcSeqnoEnd: mcBlockSeqno,
      traceExternalHash: first.inMsgHash,
      traceExternalHashNorm: undefined,
      success: true,
      ancestorTypes: [],
      parentId: undefined,
      transactions: rows.map(({ hash }) => hash),
      accounts,
      details,
    });
    for (const account of accounts) this.#meet(account, { type, traceId, actionId, endLt: last.lt, endUtime: now });
  }

  /** An account that a trace and its action touch. */
  #meet(account: Address, { type, traceId, actionId, endLt, endUtime }: MadeAction): void {
    this.#batch.traceAccounts.push({ account, endLt, traceId, endUtime });
    this.#batch.actionAccounts.push({
      account,
      traceId,
      actionId,
      traceEndLt: endLt,
      traceEndUtime: endUtime,
      actionEndLt: endLt,
      actionEndUtime: endUtime,
      typeCode: actionTypeCode(type),
      ancestorCodes: undefined,
    });
  }

  /** The newest state of each account changed by the block. */
  #newest(): BatchRows["latestAccountStates"] {
    const { accountStates, transactions } = this.#batch;
    const newest = new Map(accountStates.map(({ account }, at) => [account, at]));
    return [...newest.values()].flatMap((at) => {
      const [state, row] = [accountStates[at], transactions[at]];
      if (state === undefined || row === undefined) return [];
      const last = { timestamp: row.now, lastTransHash: row.hash, lastTransLt: row.lt };
      return { ...state, ...last, dataBoc: bodies.transfer.make(at) };
    });
  }
}
