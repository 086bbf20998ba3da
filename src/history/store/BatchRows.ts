import type { Hash } from "../../model/Hash.ts";
import type { Row } from "./Table.ts";
import type * as tables from "./tables.ts";

type Rows<T> = readonly Row<T>[];

/**
 * All that one masterchain block changes in the tables; it is written in one transaction, with the checkpoint.
 * Inserted once and never changed: blocks, shardState, transactions, events, actions. Kept if there: contents, codes,
 * account states, whitelists. Messages gain their sender when that comes later than their receiver, codes their methods
 * when the library they refer to comes later. Latest states and entities replace what is there when `lastTransactionLt`
 * (`lastTransLt`) is larger; an entity keeps its smallest `id`, a wallet what an airdrop has for it.
 */
export interface BatchRows {
  readonly mcSeqno: number;
  readonly blocks: Rows<typeof tables.blocks>;
  readonly shardState: Rows<typeof tables.shardState>;
  readonly transactions: Rows<typeof tables.transactions>;
  readonly messages: Rows<typeof tables.messages>;
  readonly messageContents: Rows<typeof tables.messageContents>;
  readonly accountStates: Rows<typeof tables.accountStates>;
  readonly latestAccountStates: Rows<typeof tables.latestAccountStates>;
  readonly codes: Rows<typeof tables.codes>;
  /** Traces begun, continued or completed; a row replaces the one that is there. */
  readonly traces: Rows<typeof tables.traces>;
  readonly openEdges: Rows<typeof tables.openEdges>;
  /** Messages that were received. */
  readonly closedEdges: readonly Hash[];
  readonly traceAccounts: Rows<typeof tables.traceAccounts>;
  readonly actions: Rows<typeof tables.actions>;
  readonly actionAccounts: Rows<typeof tables.actionAccounts>;
  readonly entities: EntityRows;
  readonly jettonTransfers: Rows<typeof tables.jettonTransfers>;
  readonly jettonBurns: Rows<typeof tables.jettonBurns>;
  readonly nftTransfers: Rows<typeof tables.nftTransfers>;
}

/** What was detected in a batch. `realOwner` of items is settled by the commit, from sales known before and now. */
export interface EntityRows {
  readonly jettonMasters: Rows<typeof tables.jettonMasters>;
  readonly mintlessJettonMasters: Rows<typeof tables.mintlessJettonMasters>;
  readonly jettonWallets: Rows<typeof tables.jettonWallets>;
  readonly nftCollections: Rows<typeof tables.nftCollections>;
  readonly nftItems: Rows<typeof tables.nftItems>;
  readonly nftSales: Rows<typeof tables.nftSales>;
  readonly multisigs: Rows<typeof tables.multisigs>;
  readonly multisigOrders: Rows<typeof tables.multisigOrders>;
  readonly vestingContracts: Rows<typeof tables.vestingContracts>;
  readonly vestingWhitelist: Rows<typeof tables.vestingWhitelist>;
  readonly dnsEntries: Rows<typeof tables.dnsEntries>;
  readonly dexPools: Rows<typeof tables.dexPools>;
}
