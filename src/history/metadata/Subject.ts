import type { Address } from "../../model/Address.ts";
import type { Row } from "../store/Table.ts";
import type { addressMetadata } from "../store/tables.ts";
import type { DocumentType, JsonObject } from "./mergeMetadata.ts";

/** A token by its account and what it is there. */
export interface TokenKey {
  readonly address: Address;
  readonly type: DocumentType;
}

/** A token whose document is to be had. */
export interface Subject extends TokenKey {
  readonly content: JsonObject;
  /** How often it was tried in vain since it last went well. */
  readonly attempts: number;
  /** Whether a row is there that once went well. */
  readonly wasValid: boolean;
}

/** What is stored of a token. */
export type MetadataRow = Row<typeof addressMetadata>;
