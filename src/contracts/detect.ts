import { parseAddress } from "../model/Address.ts";
import { type DedustPool, dedustPool } from "./families/dedust/pool.ts";
import { type DomainCollections, domainCollections } from "./families/dns/collections.ts";
import { type DnsEntry, findDnsEntry } from "./families/dns/entry.ts";
import { auction, auctionV4, type NftAuction } from "./families/getgems/auction.ts";
import { fixPriceSale, type NftSale, saleV4 } from "./families/getgems/sale.ts";
import { type JettonMaster, jettonMaster } from "./families/jetton/master.ts";
import { type JettonWallet, jettonWallet } from "./families/jetton/wallet.ts";
import { type MultisigOrder, multisigOrder } from "./families/multisig/order.ts";
import { type Multisig, multisig } from "./families/multisig/wallet.ts";
import { type NftCollection, nftCollection } from "./families/nft/collection.ts";
import { type NftItem, nftItem } from "./families/nft/item.ts";
import { type Teleitem, teleitem } from "./families/teleitem/item.ts";
import { type Vesting, vesting } from "./families/vesting/contract.ts";
import { walletVesting } from "./families/wallet/interfaces.ts";
import { interfaces } from "./interfaces.ts";
import { type AccountState, EntityContext, type MethodCaller } from "./kit/entity.ts";

/** What an account was found to be; the account itself is the one that was looked at. */
export type DetectedEntity =
  | JettonMaster
  | JettonWallet
  | NftCollection
  | NftItem
  | NftSale
  | NftAuction
  | Teleitem
  | Multisig
  | MultisigOrder
  | Vesting
  | DedustPool
  | DnsEntry;

export interface DetectSetting {
  /** Whose items are domains; those of the public networks unless said otherwise. */
  readonly domains?: DomainCollections;
}

const kinds = [
  jettonMaster,
  jettonWallet,
  nftCollection,
  nftItem,
  fixPriceSale,
  saleV4,
  auction,
  auctionV4,
  teleitem,
  multisig,
  multisigOrder,
  vesting,
  dedustPool,
];

/**
 * Codes of wallets. Those of the first versions have no dictionary of methods, so that of the most common accounts there
 * are every check would be run in vain.
 */
const wallets = new Set(
  interfaces
    .filter(({ name }) => name.startsWith("wallet_") && name !== walletVesting.name)
    .flatMap(({ codes }) => codes),
);

/** The elector and the configuration are large and none of these. */
const skipped = new Set(["3", "5"].map((digit) => parseAddress(`-1:${digit.repeat(64)}`).address));

/**
 * Finds out what of an index's kinds an account is: often none, at times several. What a contract answers never is an
 * error, only what the asker throws.
 */
export async function detect(
  account: AccountState,
  asker: MethodCaller,
  { domains = domainCollections }: DetectSetting = {},
): Promise<DetectedEntity[]> {
  if (skipped.has(account.address) || wallets.has(account.codeHash)) return [];
  const asking = new EntityContext(account, asker);
  const possible = kinds.filter((kind) => kind.mayBe(account));
  const found = await Promise.all(possible.map((kind): Promise<DetectedEntity | undefined> => kind.find(asking)));
  const entities = found.filter((each) => each !== undefined);
  const item = entities.find((each) => each.kind === "nftItem");
  const entry = item && (await findDnsEntry(item, asking, domains));
  if (entry === undefined) return entities;
  return [...entities.map((each) => (each === item ? named(item, entry) : each)), entry];
}

/** The item with its name among its attributes. */
function named(item: NftItem, { domain }: DnsEntry): NftItem {
  return { ...item, content: { ...item.content, domain } };
}
