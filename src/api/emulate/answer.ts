import { Type } from "typebox";
import type { Cell } from "../../cell/Cell.ts";
import type { AddressBook } from "../../history/queries/addressBook.ts";
import type { Metadata } from "../../history/queries/metadata.ts";
import { bool, field, int, list, omittable, shape } from "../../lib/kit/shape.ts";
import { type Hash, hashToBase64 } from "../../model/Hash.ts";
import { encodeBag } from "../declare/encodeBag.ts";
import { action, type ShownAction } from "../v3/shapes/actions.ts";
import { addressBookShape, metadataShape } from "../v3/shapes/book.ts";
import { hash, mapOf } from "../v3/shapes/scalars.ts";
import { makeTraceTree, traceNode } from "../v3/shapes/traces.ts";
import { type TransactionInContext, transactionInContext } from "../v3/shapes/transactions.ts";
import { type AccountFlows, accountFlows } from "./accountFlows.ts";

/** The predicted effect of a message. */
export interface EmulationAnswer {
  /** The block whose state was used. */
  readonly mcSeqno: number;
  readonly transactions: readonly TransactionInContext[];
  readonly actions: readonly ShownAction[];
  readonly codes: ReadonlyMap<Hash, Cell>;
  readonly datas: ReadonlyMap<Hash, Cell>;
  readonly book: AddressBook | undefined;
  readonly metadata: Metadata | undefined;
  readonly randomSeed: Hash;
  readonly isIncomplete: boolean;
  /** By the hash of the transaction; only on request. */
  readonly logs: ReadonlyMap<Hash, string> | undefined;
  readonly valueFlow: AccountFlows | undefined;
}

const cells = mapOf(
  (key: Hash) => hashToBase64(key),
  field({
    schema: Type.String({ contentEncoding: "base64" }),
    encode: (cell: Cell) => encodeBag(cell),
  }),
);

interface LoggedTransaction {
  readonly shown: TransactionInContext;
  readonly log: string | undefined;
}

/** A transaction, with the log of the machine on request. */
const logged = field({
  schema: transactionInContext.schema,
  encode: ({ shown, log }: LoggedTransaction) => {
    const encoded = transactionInContext.encode(shown);
    return log === undefined ? encoded : { ...encoded, vm_log: log };
  },
});

const transactions = mapOf((key: Hash) => hashToBase64(key), logged);

function listLogged({ transactions: all, logs }: EmulationAnswer): ReadonlyMap<Hash, LoggedTransaction> {
  return new Map(all.map((shown) => [shown.row.hash, { shown, log: logs?.get(shown.row.hash) }]));
}

/** Optional parts that were not requested are absent; no field is null. */
export const emulationAnswer = shape<EmulationAnswer>()({
  mc_block_seqno: int("Seqno of the masterchain block that commits the transaction.", (a) => a.mcSeqno),
  trace: omittable(traceNode)("Transactions of the trace as a tree.", (a) => makeTraceTree(a.transactions).root),
  transactions: transactions("Transactions that match, in the requested order.", listLogged),
  actions: list(action)("Actions that the transactions amount to, newest first.", (a) => a.actions),
  code_cells: cells("Codes of the accounts, as bags of cells in base64, by hash.", (a) => a.codes),
  data_cells: cells("Data of the accounts before and after, as bags of cells in base64, by hash.", (a) => a.datas),
  address_book: omittable(addressBookShape)(
    "Friendly forms and domains of the addresses in the answer, by raw address.",
    (a) => a.book,
  ),
  metadata: omittable(metadataShape)(
    "Names, images and other facts of the tokens in the answer, by raw address.",
    (a) => a.metadata,
  ),
  rand_seed: hash("Random seed of the block, in base64.", (a) => a.randomSeed),
  is_incomplete: bool("Whether the list stops before the end of the trace.", (a) => a.isIncomplete),
  value_flow: omittable(accountFlows)("What each account gains and loses, by address.", (a) => a.valueFlow),
});
