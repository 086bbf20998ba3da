import type { JsonObject } from "../../../lib/json.ts";
import { address, bool, double, int4, int8, int53, json, nullable, text } from "./columns.ts";
import { indexTable, service } from "./indexTable.ts";
import { onCoordinator, onEveryMachine } from "./placement.ts";

export type TokenType = "jetton_masters" | "nft_collections" | "nft_items" | "jetton_wallets";

export const indexFacts = indexTable({
  name: "index_facts",
  key: ["name"],
  ...service,
  placement: onCoordinator,
  columns: { name: text(), value: text() },
});

export const segments = indexTable({
  name: "segments",
  key: ["firstSeqno"],
  ...service,
  placement: onCoordinator,
  columns: { firstSeqno: int4, nextSeqno: int4 },
});

export const addressMetadata = indexTable({
  name: "address_metadata",
  key: ["address", "type"],
  ...service,
  placement: onEveryMachine,
  columns: {
    address: address,
    type: text<TokenType>(),
    valid: nullable(bool),
    name: nullable(text()),
    description: nullable(text()),
    symbol: nullable(text()),
    image: nullable(text()),
    extra: nullable(json<JsonObject>()),
    updatedAt: int53,
    expiresAt: nullable(int53),
    attempts: int4,
    nextAttemptAt: nullable(int53),
  },
});

export const addressMetadataFlags = indexTable({
  name: "address_metadata_flags",
  key: ["address"],
  ...service,
  placement: onEveryMachine,
  columns: { address: address, isNsfw: bool, isScam: bool },
});

export const marketplaceNames = indexTable({
  name: "marketplace_names",
  key: ["address"],
  ...service,
  placement: onEveryMachine,
  columns: { address: address, name: text() },
});

/** Messages between processes about predictions. */
export const streamMessages = indexTable({
  name: "stream_messages",
  key: ["id"],
  ...service,
  placement: onCoordinator,
  columns: { id: int8, origin: text(), sentAt: int53, payload: text() },
});

/** Partitions that were rewritten in the order of accounts; see `seal/sealPartition.ts`. */
export const sealedPartitions = indexTable({
  name: "sealed_partitions",
  key: ["name"],
  ...service,
  placement: onCoordinator,
  columns: { name: text(), sealedAt: int53 },
});

/** Partitions that are being rewritten. */
export const sealAttempts = indexTable({
  name: "seal_attempts",
  key: ["name"],
  ...service,
  placement: onCoordinator,
  columns: { name: text(), attempt: text(), isChanged: bool },
});

/** A range of masterchain blocks that a process is indexing: a segment and its last wanted block. */
export const ingestLeases = indexTable({
  name: "ingest_leases",
  key: ["firstSeqno"],
  ...service,
  placement: onCoordinator,
  columns: {
    firstSeqno: int4,
    /** Absent while the chain is followed. */
    lastSeqno: nullable(int4),
    kind: text<"follow" | "backfill">(),
    holder: text(),
    /** Never that of another lease. */
    epoch: int8,
    /** By the clock of the database, in milliseconds. */
    takenAt: int53,
    beatAt: int53,
    blocksPerSecond: double,
    transactionsPerSecond: double,
  },
});
