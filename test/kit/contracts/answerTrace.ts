import { makeFacts } from "../../../kit/contracts/corpusFacts.ts";
import { readAddress, readCell } from "../../../kit/model/corpusTrace.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import type {
  DedustPoolFact,
  Facts,
  JettonWalletFact,
  NftItemFact,
  NftSaleFact,
} from "../../../src/contracts/engine/Facts.ts";
import { dedustJettonOf, dedustSwapEvent } from "../../../src/contracts/families/dedust/innerMessages.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import type { Address } from "../../../src/model/Address.ts";
import { parseHash } from "../../../src/model/Hash.ts";
import { loadInCell } from "../../../src/model/Message.ts";
import { StateInit } from "../../../src/model/StateInit.ts";
import { type Trace, type TraceMessage, type TraceTransaction, traceTransaction } from "../../../src/model/Trace.ts";
import { type AccountStatus, Transaction } from "../../../src/model/Transaction.ts";

type Recorded = Readonly<Record<string, unknown>>;

/** A trace in a recorded answer of the public service. */
export interface AnsweredTrace {
  readonly trace_id?: string | null;
  readonly external_hash?: string | null;
  readonly trace?: { readonly tx_hash: string };
  readonly end_lt?: string | null;
  readonly end_utime?: number | null;
  readonly mc_seqno_end?: string;
  readonly transactions: Readonly<Record<string, Recorded>>;
  readonly actions?: readonly Recorded[] | null;
}

export interface TransactionBocs {
  /** `null` if the answer has too little data to rebuild the cell. */
  readonly transactions: Readonly<Record<string, { readonly boc: string | null }>>;
}

/** Rebuilds the trace of an answer from the cells of its transactions. */
export function makeAnsweredTrace(answer: AnsweredTrace, bocs: TransactionBocs): Trace {
  const transactions = Object.entries(answer.transactions).map(([hash, recorded]) => {
    const boc = bocs.transactions[hash]?.boc ?? undefined;
    if (boc === undefined) return readTransaction(recorded);
    return traceTransaction(loadInCell(Transaction, readRoot(fromBase64(boc))), {
      workchain: Number((recorded.account as string).split(":")[0]),
      mcSeqno: (recorded.mc_block_seqno as number | null) ?? 0,
      emulated: recorded.emulated === true,
    });
  });
  const last = transactions.reduce((a, b) => (b.lt > a.lt ? b : a));
  const root = answer.trace_id ?? answer.trace?.tx_hash;
  const [action] = answer.actions ?? [];
  const external = answer.external_hash ?? (action?.trace_external_hash as string | undefined);
  return {
    id: parseHash(root ?? ""),
    externalHash: external === undefined || external === null ? undefined : parseHash(external),
    externalHashNormalized: undefined,
    endLt: BigInt(answer.end_lt ?? last.lt),
    endAt: answer.end_utime ?? last.now,
    mcSeqnoEnd: Number(answer.mc_seqno_end ?? action?.trace_mc_seqno_end ?? 0),
    transactions,
  };
}

/** Builds a transaction from the fields of the answer. */
function readTransaction(recorded: Recorded): TraceTransaction {
  const { type, aborted, compute_ph } = recorded.description as Recorded;
  const compute = (compute_ph ?? {}) as Recorded;
  return {
    hash: parseHash(recorded.hash as string),
    account: readAddress(recorded.account as string),
    lt: BigInt(recorded.lt as string),
    now: recorded.now as number,
    mcSeqno: (recorded.mc_block_seqno as number | null) ?? 0,
    isTickTock: type === "tick_tock",
    aborted: aborted === true,
    emulated: recorded.emulated === true,
    origStatus: recorded.orig_status as AccountStatus,
    endStatus: recorded.end_status as AccountStatus,
    exitCode: compute.exit_code as number | undefined,
    computeSkipped: compute.reason === "no_gas" ? "noGas" : undefined,
    inMessage: recorded.in_msg === null ? undefined : readMessage(recorded.in_msg as Recorded),
    outMessages: (recorded.out_msgs as readonly Recorded[]).map(readMessage),
  };
}

function readMessage(recorded: Recorded): TraceMessage {
  const { source, destination, value, created_lt, created_at, message_content, init_state } = recorded;
  const init = (init_state ?? undefined) as { readonly body: string } | undefined;
  return {
    hash: parseHash(recorded.hash as string),
    source: typeof source === "string" ? readAddress(source) : undefined,
    destination: typeof destination === "string" ? readAddress(destination) : undefined,
    value: typeof value === "string" ? BigInt(value) : undefined,
    extra: new Map(),
    createdLt: typeof created_lt === "string" ? BigInt(created_lt) : undefined,
    createdAt: typeof created_at === "string" ? Number(created_at) : undefined,
    bounce: recorded.bounce === true,
    bounced: recorded.bounced === true,
    body: readCell((message_content as { readonly body: string }).body),
    init: init === undefined ? undefined : loadCell(StateInit, readCell(init.body)),
  };
}

/**
 * Facts about accounts in the answer itself: wallets and items from its metadata, sales and collections from its
 * actions.
 */
export function answeredFacts(
  metadata: Readonly<Record<string, Recorded>>,
  actions: readonly Recorded[],
  { transactions }: Trace,
): Facts {
  const jettonWallets = new Map<Address, JettonWalletFact>();
  const nftItems = new Map<Address, NftItemFact>();
  for (const [account, { token_info }] of Object.entries(metadata)) {
    for (const token of (token_info ?? []) as readonly Recorded[]) {
      const extra = (token.extra ?? {}) as Recorded;
      const address = readAddress(account);
      if (token.type === "jetton_wallets")
        jettonWallets.set(address, { owner: readAccount(extra.owner), jetton: readAccount(extra.jetton) });
      if (token.type === "nft_items") {
        nftItems.set(address, {
          index: BigInt((token.nft_index as string | undefined) ?? 0),
          collection: findCollection(account, actions),
          owner: undefined,
          contentUri: typeof extra.uri === "string" ? extra.uri : undefined,
        });
      }
    }
  }
  const nftSales = new Map<Address, NftSaleFact>();
  for (const { type, details } of actions) {
    const reported = details as Recorded;
    if (type === "jetton_transfer" && typeof reported.receiver_jetton_wallet === "string") {
      jettonWallets.set(readAccount(reported.receiver_jetton_wallet), {
        owner: readAccount(reported.receiver),
        jetton: readAccount(reported.asset),
      });
    }
    // An item sold without a sale contract has no old owner in the answer.
    if (type === "nft_transfer" && reported.is_purchase === true && typeof reported.old_owner === "string") {
      nftSales.set(readAccount(reported.old_owner), {
        nft: readAccount(reported.nft_item),
        nftOwner: typeof reported.real_old_owner === "string" ? readAccount(reported.real_old_owner) : undefined,
        marketplace:
          typeof reported.marketplace_address === "string" ? readAccount(reported.marketplace_address) : undefined,
        fullPrice: BigInt(reported.price as string),
      });
    }
  }
  const dedustPools = new Map(transactions.flatMap(listPools));
  return makeFacts({ jettonWallets, nftItems, nftSales, dedustPools });
}

/** A DeDust pool reports the two assets of a swap. */
function listPools({ account, outMessages }: TraceTransaction): [Address, DedustPoolFact][] {
  return outMessages.flatMap(({ body }) => {
    const event = dedustSwapEvent.find(body);
    return event === undefined
      ? []
      : [[account, { assets: [dedustJettonOf(event.assetIn), dedustJettonOf(event.assetOut)] }]];
  });
}

function readAccount(value: unknown): Address {
  return readAddress(value as string);
}

function findCollection(item: string, actions: readonly Recorded[]): Address | undefined {
  for (const { details } of actions) {
    const { nft_item, asset, nft_collection } = details as Recorded;
    if ((nft_item === item || asset === item) && typeof nft_collection === "string") return readAddress(nft_collection);
  }
  return undefined;
}
