import { readRoot } from "../../cell/boc.ts";
import type { NewContracts } from "../../chain/run/newContracts.ts";
import { nftTransferBody } from "../../contracts/families/nft/messages.ts";
import { predictBalanceChanges } from "../../history/queries/balanceChanges.ts";
import type { FullTransaction } from "../../history/queries/fill/FullTransaction.ts";
import type { HeldJetton } from "../../history/queries/jettonChanges.ts";
import { decimal, list, shape } from "../../lib/kit/shape.ts";
import { type Address, formatRawAddress } from "../../model/Address.ts";
import { address, mapOf, named } from "../v3/shapes/scalars.ts";
import type { EmulateIndex } from "./Services.ts";

/** The gains and losses of one account. */
export interface AccountFlow {
  coinsIn: bigint;
  coinsOut: bigint;
  /** Fees of its transactions, including forward fees of its messages. */
  fees: bigint;
  /** By master. */
  jettons: ReadonlyMap<Address, bigint>;
  readonly nftsReceived: Address[];
  readonly nftsSent: Address[];
}

export type AccountFlows = ReadonlyMap<Address, AccountFlow>;

const accountFlow = named(
  "EmulatedValueFlow",
  shape<AccountFlow>()({
    coins_in: decimal("Coins that the account receives, in nanocoins.", (flow) => flow.coinsIn),
    coins_out: decimal("Coins that the account sends, in nanocoins.", (flow) => flow.coinsOut),
    fees: decimal("Fees, in nanocoins.", (flow) => flow.fees),
    jettons: mapOf((key: Address) => formatRawAddress(key), decimal)(
      "Changes of jetton balances, by master.",
      (flow) => flow.jettons,
    ),
    nfts_received: list(address)("Items that the account receives.", (flow) => flow.nftsReceived),
    nfts_sent: list(address)("Items that the account gives away.", (flow) => flow.nftsSent),
  }),
);

export const accountFlows = mapOf((key: Address) => formatRawAddress(key), accountFlow);

/** Sums the flows of a predicted trace by account; jettons need an index, or wallets that the trace itself deploys. */
export async function sumAccountFlows(
  transactions: readonly FullTransaction[],
  contracts: NewContracts,
  index: EmulateIndex | undefined,
  signal: AbortSignal,
): Promise<AccountFlows> {
  const flows = new Map<Address, AccountFlow>();
  const flowOf = (account: Address): AccountFlow => {
    const flow = flows.get(account) ?? makeFlow();
    flows.set(account, flow);
    return flow;
  };
  for (const transaction of transactions) {
    const flow = flowOf(transaction.row.account);
    flow.coinsIn += transaction.inMessage?.row.value ?? 0n;
    flow.coinsOut += transaction.outMessages.reduce((sum, { row }) => sum + (row.value ?? 0n), 0n);
    const moved = findMovedNft(transaction);
    if (moved?.from !== undefined) flowOf(moved.from).nftsSent.push(transaction.row.account);
    if (moved?.to !== undefined) flowOf(moved.to).nftsReceived.push(transaction.row.account);
  }
  const { fees, jettons } = await predictBalanceChanges(
    index && { history: index.history, signal },
    transactions,
    newWallets(contracts),
  );
  for (const [account, fee] of fees) flowOf(account).fees = fee;
  for (const [owner, own] of jettons) flowOf(owner).jettons = own;
  return flows;
}

function makeFlow(): AccountFlow {
  return { coinsIn: 0n, coinsOut: 0n, fees: 0n, jettons: new Map(), nftsReceived: [], nftsSent: [] };
}

function newWallets(contracts: NewContracts): ReadonlyMap<Address, HeldJetton> {
  const heldJettons = new Map<Address, HeldJetton>();
  for (const [account, { entities }] of contracts)
    for (const entity of entities) if (entity.kind === "jettonWallet") heldJettons.set(account, entity);
  return heldJettons;
}

/** An item that accepted a transfer; only its owner may order that. */
function findMovedNft({ row, inMessage }: FullTransaction): MovedNft | undefined {
  const boc = inMessage?.body?.boc;
  const found = row.aborted || boc === undefined ? undefined : nftTransferBody.find(readRoot(boc));
  return found && { from: inMessage?.row.source, to: found.newOwner };
}

interface MovedNft {
  readonly from: Address | undefined;
  readonly to: Address | undefined;
}
