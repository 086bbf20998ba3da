import type { Chain } from "../../chain/Chain.ts";
import type { NewContracts } from "../../chain/run/newContracts.ts";
import { addressBook } from "../../history/queries/addressBook.ts";
import type { AddressMetadata, Metadata } from "../../history/queries/metadata.ts";
import { metadata as readMetadata } from "../../history/queries/metadata.ts";
import type { Address } from "../../model/Address.ts";
import type { ShownAction } from "../v3/shapes/actions.ts";
import type { TransactionInContext } from "../v3/shapes/transactions.ts";
import { involvedIn, involvedInActions } from "../v3/traceAnswers.ts";
import type { EmulationAnswer } from "./answer.ts";
import { invalid } from "./args.ts";
import type { EmulateIndex } from "./Services.ts";

/** The subject of an answer. */
interface Described {
  readonly transactions: readonly TransactionInContext[];
  readonly actions: readonly ShownAction[];
  readonly contracts: NewContracts;
}

interface Wish {
  readonly withBook: boolean;
  readonly withMetadata: boolean;
}

/** The address book and token metadata, also of tokens that only the emulated trace would create. */
export async function describeAccounts(
  { transactions, actions, contracts }: Described,
  { withBook, withMetadata }: Wish,
  index: EmulateIndex | undefined,
  chain: Chain,
): Promise<Pick<EmulationAnswer, "book" | "metadata">> {
  if (!withBook && !withMetadata) return { book: undefined, metadata: undefined };
  if (index === undefined) throw invalid("address book and metadata are not available");
  const wallets = newWallets(contracts);
  const involved = [...involvedIn(transactions), ...involvedInActions(actions)];
  return index.history.read({ signal: chain.asking.signal }, async (reading) => ({
    book: withBook ? await addressBook(reading, involved) : undefined,
    metadata: withMetadata
      ? addWallets(
          await readMetadata(reading, [...involved, ...[...wallets.values()].map(({ jetton }) => jetton)]),
          wallets,
        )
      : undefined,
  }));
}

interface NewWallet {
  readonly owner: Address;
  readonly jetton: Address;
  readonly balance: bigint;
}

function newWallets(contracts: NewContracts): ReadonlyMap<Address, NewWallet> {
  const found = new Map<Address, NewWallet>();
  for (const [address, { entities }] of contracts)
    for (const entity of entities) if (entity.kind === "jettonWallet") found.set(address, entity);
  return found;
}

const bare = {
  ...{ name: undefined, symbol: undefined, description: undefined, image: undefined, nftIndex: undefined },
  ...{ isNsfw: undefined, isScam: undefined, extra: undefined },
};

function addWallets(known: Metadata, wallets: ReadonlyMap<Address, NewWallet>): Metadata {
  const all = new Map<Address, AddressMetadata>(known);
  for (const [address, wallet] of wallets) {
    if (!all.has(address))
      all.set(address, { isIndexed: true, tokens: [{ ...bare, valid: true, type: "jetton_wallets", wallet }] });
  }
  return all;
}
