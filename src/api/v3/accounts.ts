import { findWalletOf, type LatestAccount, listAccounts } from "../../history/queries/accounts.ts";
import { type BookRow, readBook } from "../../history/queries/addressBook.ts";
import type { HistorySnapshot } from "../../history/queries/kit/History.ts";
import { readMetadata } from "../../history/queries/metadata.ts";
import { readSuspended } from "../../history/queries/validators/suspended.ts";
import { shape } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import { distinct } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { arg } from "../declare/argument.ts";
import { noProof, shownProof } from "../declare/proof.ts";
import { about } from "./about.ts";
import { addressesArg, boolArg, findV3Address, hashesArg, orElseArg, textsArg } from "./args/args.ts";
import { refusal } from "./args/refusals.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { proveAccounts } from "./proofs/proveAccounts.ts";
import { allIndexed, by, within } from "./scope/scopeRule.ts";
import { accountStateFull, type ListedAccount, type ShownWallet, walletState } from "./shapes/accounts.ts";
import {
  bookRow,
  type ItemsWithMetadata,
  itemsOf,
  metadataFields,
  metadataShape,
  type WithMetadata,
} from "./shapes/book.ts";
import { mapOf } from "./shapes/scalars.ts";

const maxAccounts = 1000;

/** At least one address; `checkAccounts` refuses an empty list with the contract's text. */
const requiredAddressesArg = { ...addressesArg, required: true } as const;
const neededTextsArg = { ...textsArg, required: true } as const;

/** Refuses no accounts and too many of them. */
function checkAccounts(accounts: readonly Address[]): readonly Address[] {
  if (accounts.length === 0) throw refusal("accountsNeeded");
  if (accounts.length > maxAccounts) throw refusal("tooManyAddresses", { max: maxAccounts });
  return accounts;
}

async function aboutAccounts(reading: HistorySnapshot, accounts: readonly LatestAccount[]): Promise<WithMetadata> {
  const involved = accounts.map(({ row }) => row.account);
  return about(reading, involved);
}

interface AccountArgs {
  readonly address: readonly Address[];
  readonly code_hash?: readonly Hash[];
  readonly include_boc?: boolean;
}

export const accountStates = indexEndpoint({
  name: "accountStates",
  // Decoded arguments have the values of their declarations.
  proof: shownProof((chain, given, shown) => {
    const {
      address: accounts,
      code_hash: codeHashes = [],
      include_boc: withBoc = true,
    } = given as unknown as AccountArgs;
    const encode = (account: LatestAccount) => accountStateFull.encode({ withBoc, isSuspended: false, ...account });
    return proveAccounts(chain, { name: "accounts", accounts, codeHashes, encode }, shown);
  }),
  tag: "accounts",
  scope: within([by.account("address")]),
  summary: "The newest states of accounts.",
  description: "Accounts that are not in the index are omitted.",
  args: {
    address: arg("Addresses of the accounts.", requiredAddressesArg, ["wallet"]),
    code_hash: arg("Only accounts with one of these code hashes.", hashesArg),
    include_boc: arg("Add code and data of every account.", orElseArg(boolArg, true)),
  },
  result: shape<ItemsWithMetadata<ListedAccount>>()({
    accounts: itemsOf(accountStateFull, "Account states, in the order of the request."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading }, { address, code_hash, include_boc: withBoc }) => {
    const wanted = { accounts: checkAccounts(address), codeHashes: code_hash, withCode: withBoc };
    const latestAccounts = await listAccounts(reading, wanted);
    const suspended = await readSuspended(reading, address);
    const accounts = latestAccounts.map((account) => ({
      withBoc,
      isSuspended: suspended.has(account.row.account),
      ...account,
    }));
    return { items: accounts, ...(await aboutAccounts(reading, latestAccounts)) };
  }),
});

export const walletStates = indexEndpoint({
  name: "walletStates",
  proof: shownProof((chain, given, shown) => {
    const { address: accounts } = given as unknown as AccountArgs;
    const encode = (account: LatestAccount) =>
      walletState.encode({ wallet: findWalletOf(account), isSuspended: false, ...account });
    return proveAccounts(chain, { name: "wallets", accounts, codeHashes: [], encode }, shown);
  }),
  tag: "accounts",
  scope: within([by.account("address")]),
  summary: "Wallet data of accounts: version, seqno and wallet id.",
  args: { address: arg("Addresses of the accounts.", requiredAddressesArg, ["wallet"]) },
  result: shape<ItemsWithMetadata<ShownWallet>>()({
    wallets: itemsOf(walletState, "Wallet states, in the order of the request."),
    ...metadataFields,
  }),
  run: onHistory(async ({ reading }, { address }) => {
    const wanted = { accounts: checkAccounts(address), codeHashes: [], withCode: false };
    const accounts = await listAccounts(reading, wanted);
    const suspended = await readSuspended(reading, address);
    const wallets = accounts.map((account) => ({
      wallet: findWalletOf(account),
      isSuspended: suspended.has(account.row.account),
      ...account,
    }));
    return { items: wallets, ...(await aboutAccounts(reading, accounts)) };
  }),
});

const unreadable: BookRow = { userFriendly: undefined, domain: undefined, interfaces: [] };

export const addressBook = indexEndpoint({
  name: "addressBook",
  proof: noProof("the index derives it; dnsResolve of v2 proves a domain"),
  tag: "accounts",
  scope: allIndexed,
  summary: "Display data of accounts: user-friendly address, domain, interfaces.",
  description: "The keys of the answer are the requested texts; a text that is not an address has empty values.",
  args: {
    address: arg("Addresses of the accounts; text that is no address is answered, too.", neededTextsArg, ["wallet"]),
  },
  result: mapOf((key: string) => key, bookRow),
  run: onHistory(async ({ reading }, { address: texts }) => {
    if (texts.length === 0) throw refusal("oneAddressNeeded");
    const accounts = texts.map(findV3Address);
    const book = await readBook(reading, distinct(accounts));
    return new Map(
      texts.map((text, at): [string, BookRow] => {
        const account = accounts[at];
        return [text, (account && book.get(account)) ?? unreadable];
      }),
    );
  }),
});

export const metadata = indexEndpoint({
  name: "metadata",
  proof: noProof("the index derives it; getTokenData of v2 proves what a token says of itself"),
  tag: "accounts",
  scope: allIndexed,
  summary: "Metadata of tokens: jetton masters and wallets, NFT collections and items.",
  description: "Texts that are not addresses, and accounts that are not tokens, are omitted.",
  args: {
    address: arg("Addresses of the tokens; text that is no address is answered, too.", neededTextsArg, ["master"]),
  },
  result: metadataShape,
  run: onHistory(async ({ reading }, { address: texts }) => {
    if (texts.length === 0) throw refusal("oneAddressNeeded");
    return readMetadata(reading, distinct(texts.map(findV3Address)));
  }),
});
