import type { Row } from "../store/schema/Table.ts";
import { dexPoolEntity } from "./dexPools.ts";
import { dnsEntryEntity } from "./dnsEntries.ts";
import type { IndexedEntity } from "./indexedEntity.ts";
import { jettonMasterEntity } from "./jettonMasters.ts";
import { jettonWalletEntity } from "./jettonWallets.ts";
import { mintlessJettonMasterEntity } from "./mintlessJettonMasters.ts";
import { multisigOrderEntity } from "./multisigOrders.ts";
import { multisigEntity } from "./multisigs.ts";
import { nftCollectionEntity } from "./nftCollections.ts";
import { nftItemEntity } from "./nftItems.ts";
import { nftSaleEntity } from "./nftSales.ts";
import { nominatorPoolEntity } from "./nominatorPools.ts";
import { vestingContractEntity } from "./vestingContracts.ts";
import { vestingWhitelistEntity } from "./vestingWhitelist.ts";

/** All indexed entities, in the order in which their rows are written. */
export const indexedEntities = {
  jettonMasters: jettonMasterEntity,
  mintlessJettonMasters: mintlessJettonMasterEntity,
  jettonWallets: jettonWalletEntity,
  nftCollections: nftCollectionEntity,
  nftItems: nftItemEntity,
  nftSales: nftSaleEntity,
  multisigs: multisigEntity,
  multisigOrders: multisigOrderEntity,
  vestingContracts: vestingContractEntity,
  vestingWhitelist: vestingWhitelistEntity,
  dnsEntries: dnsEntryEntity,
  dexPools: dexPoolEntity,
  nominatorPools: nominatorPoolEntity,
};

export type EntityName = keyof typeof indexedEntities;

/** The rows of all entities that a batch detected. */
export type EntityRows = {
  readonly [K in EntityName]: readonly Row<(typeof indexedEntities)[K]["table"]>[];
};

/** The facts that some entity declares. */
export type DeclaredFact = (typeof indexedEntities)[EntityName]["factNames"][number];

/** The entities with their names, for code that treats all of them alike. */
// Rows are only ever passed to the declaration they came from.
export const entityList = Object.entries(indexedEntities) as unknown as readonly (readonly [
  EntityName,
  IndexedEntity,
])[];
