import { Builder } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import type { EntityRows } from "../../../src/history/entities/indexedEntities.ts";
import type { BatchRows } from "../../../src/history/store/write/BatchRows.ts";
import { collectionAt, domainAt, type MadeAccounts, madeHash, masterAt, personAt } from "./madeChain.ts";

const codeCount = 20;
/** One of this many users has a domain name. */
const peopleForName = 20;
const state = { codeHash: madeHash(30, 1), dataHash: madeHash(31, 1), lastTransactionLt: 1n };

type Beginning = Pick<BatchRows, "codes"> & {
  readonly entities: Pick<EntityRows, "jettonMasters" | "nftCollections" | "dnsEntries">;
};

/** What exists from the first block of a synthetic chain: codes, jettons, collections, domain names. */
export function madeBeginning({ people, masters, collections }: MadeAccounts, nextId: () => bigint): Beginning {
  const list = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));
  const codes = list(codeCount, (at) => {
    return { hash: madeHash(30, at), boc: madeCode(at), methods: [85143, 97026 + at] };
  });
  const jettonMasters = list(masters, (at) => madeMaster(at, nextId()));
  const nftCollections = list(collections, (at) => madeCollection(at, nextId()));
  const dnsEntries = list(Math.ceil(people / peopleForName), (at) => madeName(at * peopleForName));
  return { codes, entities: { jettonMasters, nftCollections, dnsEntries } };
}

/** A bag of about a kilobyte, like real code. */
function madeCode(at: number): Uint8Array {
  let cell = new Builder().storeUint(at, 32).cell();
  for (let part = 0; part < 8; part++) {
    cell = new Builder()
      .storeHex(madeHash(32, at * 8 + part).repeat(3))
      .storeRef(cell)
      .cell();
  }
  return writeBoc(cell);
}

function madeMaster(at: number, id: bigint): EntityRows["jettonMasters"][number] {
  return {
    address: masterAt(at),
    id,
    totalSupply: 10n ** 18n,
    mintable: true,
    adminAddress: personAt(at),
    jettonContent: { uri: `https://example.org/${at}.json` },
    jettonWalletCodeHash: madeHash(30, 2),
    ...state,
  };
}

function madeCollection(at: number, id: bigint): EntityRows["nftCollections"][number] {
  return {
    address: collectionAt(at),
    id,
    nextItemIndex: 1000n,
    ownerAddress: personAt(at),
    collectionContent: { uri: `https://example.org/c${at}.json` },
    ...state,
  };
}

function madeName(person: number): EntityRows["dnsEntries"][number] {
  return {
    nftItemAddress: domainAt(person),
    nftItemOwner: personAt(person),
    domain: `person${person}.ton`,
    dnsNextResolver: undefined,
    dnsWallet: personAt(person),
    dnsSiteAdnl: undefined,
    dnsStorageBagId: undefined,
    lastTransactionLt: 1n,
    maxBidAddress: person % 2 === 0 ? personAt(person + 1) : undefined,
    maxBidAmount: 5n,
    auctionEndTime: person,
    lastFillUpTime: undefined,
  };
}
