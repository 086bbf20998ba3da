import type { JsonObject } from "../../lib/json.ts";
import type { Address } from "../../model/Address.ts";
import type { addressMetadata } from "../store/schema/serviceTables.ts";
import type { Row } from "../store/schema/Table.ts";
import type { DocumentType } from "./mergeMetadata.ts";

/** A token: its account and its type. */
export interface TokenKey {
  readonly address: Address;
  readonly type: DocumentType;
}

/** A token whose document is wanted. */
export interface Subject extends TokenKey {
  readonly content: JsonObject;
  /** Failed attempts since the last success. */
  readonly attempts: number;
  /** Whether a row of an earlier success exists. */
  readonly wasValid: boolean;
}

/** The stored metadata of a token. */
export type MetadataRow = Row<typeof addressMetadata>;
