import type { Cell } from "../../src/cell/Cell.ts";
import type {
  DedustPoolFact,
  Facts,
  JettonWalletFact,
  NftAuctionFact,
  NftItemFact,
  NftSaleFact,
} from "../../src/contracts/engine/Facts.ts";
import { neededFacts } from "../../src/contracts/neededFacts.ts";
import type { Address } from "../../src/model/Address.ts";
import { type Hash, parseHash } from "../../src/model/Hash.ts";
import type { Trace } from "../../src/model/Trace.ts";
import { readAddress, readCell } from "../model/corpusTrace.ts";

type Recorded = Readonly<Record<string, unknown>>;
/** Facts about accounts in the trace files, by account and kind. */
export type RecordedInterfaces = Readonly<Record<string, Readonly<Record<string, Recorded>>>>;

/** Facts as plain maps, for tests that supply their own. */
export interface FactMaps {
  readonly jettonWallets?: ReadonlyMap<Address, JettonWalletFact>;
  readonly nftItems?: ReadonlyMap<Address, NftItemFact>;
  readonly nftSales?: ReadonlyMap<Address, NftSaleFact>;
  readonly nftAuctions?: ReadonlyMap<Address, NftAuctionFact>;
  readonly multisigOrders?: ReadonlyMap<Address, { readonly signers: readonly Address[] }>;
  readonly dedustPools?: ReadonlyMap<Address, DedustPoolFact>;
  readonly codeHashes?: ReadonlyMap<Address, Hash>;
  readonly data?: ReadonlyMap<Address, Cell>;
}

export function makeFacts(maps: FactMaps): Facts {
  return {
    network: "mainnet",
    findJettonWallet: (address) => maps.jettonWallets?.get(address),
    findNftItem: (address) => maps.nftItems?.get(address),
    findNftSale: (address) => maps.nftSales?.get(address),
    findNftAuction: (address) => maps.nftAuctions?.get(address),
    findMultisigOrder: (address) => maps.multisigOrders?.get(address),
    findDedustPool: (address) => maps.dedustPools?.get(address),
    findCodeHash: (address) => maps.codeHashes?.get(address),
    findData: (address) => maps.data?.get(address),
    findMarketplaceName: () => undefined,
  };
}

/** The facts recorded with a trace. */
export function readFacts(interfaces: RecordedInterfaces): Facts {
  const pick = <V>(kind: string, read: (fact: Recorded) => V): ReadonlyMap<Address, V> =>
    new Map(
      Object.entries(interfaces).flatMap(([account, kinds]) => {
        const fact = kinds[kind];
        return fact === undefined ? [] : [[readAddress(account), read(fact)] as const];
      }),
    );
  return makeFacts({
    jettonWallets: pick("JettonWallet", (fact) => ({ owner: account(fact.owner), jetton: account(fact.jetton) })),
    nftItems: pick("NftItem", readItem),
    nftSales: pick("NftSale", (fact) => ({
      ...readListing(fact),
      fullPrice: findAmount(fact.full_price),
    })),
    nftAuctions: pick("NftAuction", (fact) => ({ ...readListing(fact), lastBid: findAmount(fact.last_bid) })),
    dedustPools: pick("DedustPool", readPool),
    multisigOrders: pick("MultisigOrder", (fact) => ({
      signers: ((fact.signers ?? []) as readonly string[]).map(readAddress),
    })),
    codeHashes: readCodeHashes(interfaces),
    data: pick("data_boc", (fact) => readCell(fact.data_boc as string)),
  });
}

/** The code of nominator pools, which are recognised only by their code. */
const nominatorPoolCode = parseHash("mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=");

function readCodeHashes(interfaces: RecordedInterfaces): ReadonlyMap<Address, Hash> {
  const hashes = new Map<Address, Hash>();
  for (const [account, kinds] of Object.entries(interfaces)) {
    if (kinds.NominatorPool !== undefined) hashes.set(readAddress(account), nominatorPoolCode);
    for (const { code_hash: hash } of Object.values(kinds))
      if (typeof hash === "string") hashes.set(readAddress(account), parseHash(hash));
  }
  return hashes;
}

function readItem(fact: Recorded): NftItemFact {
  const content = fact.content as Recorded | null;
  const uri = content?.uri;
  return {
    index: findAmount(fact.index),
    collection: findAccount(fact.collection_address),
    owner: findAccount(fact.owner_address),
    contentUri: typeof uri === "string" ? uri : undefined,
  };
}

function readListing(fact: Recorded) {
  return {
    nft: findAccount(fact.nft_addr ?? fact.nft_address),
    nftOwner: findAccount(fact.nft_owner ?? fact.nft_owner_address),
    marketplace: findAccount(fact.mp_addr ?? fact.marketplace_address),
  };
}

function readPool(fact: Recorded): DedustPoolFact {
  const [first, second] = fact.assets as readonly Recorded[];
  return { assets: [findAccount(first?.address), findAccount(second?.address)] };
}

function account(value: unknown): Address {
  return readAddress(value as string);
}

function findAccount(value: unknown): Address | undefined {
  return typeof value === "string" ? readAddress(value) : undefined;
}

function findAmount(value: unknown): bigint | undefined {
  return value === null || value === undefined ? undefined : BigInt(value as string | number | bigint);
}

/** The same facts, reduced to those that `neededFacts` asks for, round by round. */
export function gatherFacts(trace: Trace, all: Facts): Facts {
  const addresses = new Set<Address>();
  const data = new Set<Address>();
  const only = <V>(known: ReadonlySet<Address>, find: (address: Address) => V | undefined) => {
    return (address: Address) => (known.has(address) ? find(address) : undefined);
  };
  const gathered: Facts = {
    network: all.network,
    findNftItem: only(addresses, all.findNftItem),
    findJettonWallet: only(addresses, all.findJettonWallet),
    findNftSale: only(addresses, all.findNftSale),
    findNftAuction: only(addresses, all.findNftAuction),
    findMultisigOrder: only(addresses, all.findMultisigOrder),
    findDedustPool: only(addresses, all.findDedustPool),
    findCodeHash: only(addresses, all.findCodeHash),
    findData: only(data, all.findData),
    findMarketplaceName: all.findMarketplaceName,
  };
  for (let rounds = 0; rounds < 3; rounds++) {
    const needed = neededFacts(trace, gathered);
    for (const address of needed.accounts) addresses.add(address);
    for (const address of needed.data) data.add(address);
  }
  return gathered;
}
