import { v3Api } from "../../../../src/api/v3/envelope.ts";
import { dnsEntries } from "../../../../src/history/entities/dnsEntries.ts";
import { jettonMasters } from "../../../../src/history/entities/jettonMasters.ts";
import { jettonWallets } from "../../../../src/history/entities/jettonWallets.ts";
import { nftCollections } from "../../../../src/history/entities/nftCollections.ts";
import { nftItems } from "../../../../src/history/entities/nftItems.ts";
import {
  contractHistory,
  History,
  type HistoryOptions,
  type MetadataRequest,
} from "../../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import * as serviceTables from "../../../../src/history/store/schema/serviceTables.ts";
import { type Address, makeAddress } from "../../../../src/model/Address.ts";
import { type Hash, hashToBase64 } from "../../../../src/model/Hash.ts";
import { type Engine, openFresh } from "../../history/database.ts";
import { type ChainRows, indexChain } from "../../history/indexedChain.ts";
import { loadRows } from "../../history/loadRows.ts";
import { loadStakingRows } from "../../history/stakingRows.ts";
import { loadTokenRows, noAuction } from "../../history/tokenRows.ts";
import { loadValidatorRows } from "../../history/validatorRows.ts";
import { importSplitChain } from "../../localnet/splitChain.ts";
import { openApiServer, type TestServer, type TestServerOptions } from "../apiServer.ts";
import { openLiveStage } from "../liveStage.ts";

/** A v3 server over an index of a recorded chain. */
export interface V3Stage {
  readonly rows: ChainRows;
  readonly database: Database;
  readonly server: TestServer;
  /** Tokens whose metadata documents were requested. */
  readonly wanted: readonly MetadataRequest[];
  close(): Promise<void>;
}

export function sameDigits(digit: string): Hash {
  return digit.repeat(64) as Hash;
}

/** The wallet of the recorded chain; ties the synthetic tokens to real accounts. */
export const knownWallet = "0:a108e87b8493b5f5b4c92898330ee20891117fec58d918b4fe34f846d21e80c0" as Address;

/** Synthetic tokens, for cases that no recorded chain covers. */
export const tokens = {
  master: makeAddress(0, sameDigits("a")),
  wallet: makeAddress(0, sameDigits("b")),
  collection: makeAddress(0, sameDigits("c")),
  item: makeAddress(0, sameDigits("d")),
} as const;

export const bareState = { codeHash: sameDigits("1"), dataHash: sameDigits("2"), lastTransactionLt: 5n };

async function loadTokens(database: Pick<Database, "write">): Promise<void> {
  const fetched = { attempts: 1, updatedAt: 1, expiresAt: undefined, nextAttemptAt: undefined };
  const nothing = { name: undefined, description: undefined, symbol: undefined, image: undefined, extra: undefined };
  await database.write(async (session) => {
    await loadRows(session, jettonMasters, [
      {
        ...bareState,
        address: tokens.master,
        id: 1n,
        totalSupply: 1000n,
        mintable: true,
        adminAddress: knownWallet,
        jettonContent: { uri: "https://example.org/jetton.json" },
        jettonWalletCodeHash: sameDigits("3"),
      },
    ]);
    await loadRows(session, jettonWallets, [
      {
        ...bareState,
        address: tokens.wallet,
        id: 2n,
        balance: 10n ** 30n,
        owner: knownWallet,
        jetton: tokens.master,
        mintlessIsClaimed: undefined,
        mintlessAmount: undefined,
        mintlessStartFrom: undefined,
        mintlessExpireAt: undefined,
      },
    ]);
    await loadRows(session, nftCollections, [
      {
        ...bareState,
        address: tokens.collection,
        id: 3n,
        nextItemIndex: -1n,
        ownerAddress: undefined,
        collectionContent: undefined,
      },
    ]);
    await loadRows(session, nftItems, [
      {
        ...bareState,
        address: tokens.item,
        id: 4n,
        init: true,
        index: 2n ** 255n,
        collectionAddress: tokens.collection,
        ownerAddress: knownWallet,
        realOwner: knownWallet,
        content: undefined,
      },
    ]);
    await loadRows(session, dnsEntries, [
      dnsEntry(tokens.item, "longer.ton", knownWallet),
      dnsEntry(tokens.collection, "short.ton", knownWallet),
      dnsEntry(tokens.wallet, "s.ton", tokens.master),
    ]);
    await loadRows(session, serviceTables.addressMetadata, [
      {
        ...{ ...nothing, ...fetched, address: tokens.master, type: "jetton_masters" as const, valid: true },
        ...{ name: "Coin", symbol: "CN", extra: { decimals: "9", big: 12345678901234567890n } },
      },
      { ...nothing, ...fetched, address: tokens.item, type: "nft_items" as const, valid: false },
    ]);
    await loadRows(session, serviceTables.addressMetadataFlags, [
      { address: tokens.master, isNsfw: false, isScam: true },
    ]);
  });
}

function dnsEntry(nftItemAddress: Address, domain: string, dnsWallet: Address) {
  const none = { dnsNextResolver: undefined, dnsSiteAdnl: undefined, dnsStorageBagId: undefined, ...noAuction };
  return { nftItemAddress, nftItemOwner: knownWallet, domain, dnsWallet, ...none, lastTransactionLt: 5n };
}

export async function openV3Stage(
  engine: Engine = "postgres",
  options: Partial<HistoryOptions> = {},
  serverOptions: TestServerOptions = {},
  wrap: (database: Database) => Database = (database) => database,
): Promise<V3Stage> {
  const database = wrap(await openFresh(engine));
  const ledger = importSplitChain();
  const rows = await indexChain(database, ledger);
  await loadTokens(database);
  await loadTokenRows(database);
  await loadValidatorRows(database);
  await loadStakingRows(database);
  const wanted: MetadataRequest[] = [];
  const history = new History(
    { ...contractHistory, ...options },
    { database, wantMetadata: (more) => void wanted.push(...more) },
  );
  const limits = { maxUrlBytes: 131_072 };
  const live = await openLiveStage(ledger, history);
  const server = await openApiServer(v3Api, { history, ...live }, { ...limits, ...serverOptions });
  const close = async () => {
    await server.close();
    await live.close();
    await database.close();
  };
  return { rows, database, server, wanted, close };
}

/** A hash as written in answers. */
export const b64 = (hash: Hash): string => hashToBase64(hash);
/** An address as written in answers. */
export const raw = (address: Address): string => address.toUpperCase();
