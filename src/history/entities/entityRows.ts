import type { DetectedEntity } from "../../contracts/detect.ts";
import { blankRecord } from "../../lib/kit/blankRecord.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { type EntityRows, entityList } from "./indexedEntities.ts";

/** An account and the entities detected in its state. */
export interface Detected {
  readonly address: Address;
  readonly codeHash: Hash;
  readonly dataHash: Hash;
  readonly lastTransLt: bigint;
  readonly entities: readonly DetectedEntity[];
}

type WritableRows = { -readonly [K in keyof EntityRows]: EntityRows[K][number][] };

/** Ids of one masterchain block begin at a multiple of this. */
const idsPerBlock = 1 << 20;

const entityNames = entityList.map(([name]) => name);
const blank = blankRecord(entityNames);

export function noEntities(): WritableRows {
  const rows: Record<string, unknown> = { ...blank };
  for (const name of entityNames) rows[name] = [];
  return rows as unknown as WritableRows;
}

/** The rows of all entities detected in one masterchain block. */
export function makeEntityRows(mcSeqno: number, detected: readonly Detected[]): EntityRows {
  const rows = noEntities() as Record<keyof EntityRows, object[]>;
  let position = 0;
  for (const { address, codeHash, dataHash, lastTransLt, entities } of detected) {
    for (const detectedEntity of entities) {
      const id = BigInt(mcSeqno) * BigInt(idsPerBlock) + BigInt(Math.min(position++, idsPerBlock - 1));
      const place = { address, id, codeHash, dataHash, lastTransactionLt: lastTransLt };
      for (const [name, entity] of entityList) rows[name].push(...entity.makeRows(detectedEntity, place));
    }
  }
  return rows as unknown as EntityRows;
}
