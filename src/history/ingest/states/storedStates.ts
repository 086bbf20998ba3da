import type { SqlSession } from "../../store/Database.ts";
import { addressList, hashList } from "../../store/schema/columns.ts";
import * as tables from "../../store/schema/tables.ts";
import type { StateLookups } from "./AccountReader.ts";

/** Account states and codes from the tables. */
export function storedStates(database: Pick<SqlSession, "query">): Pick<StateLookups, "findStates" | "findCodes"> {
  return {
    findStates: async (addresses, signal) => {
      const { account, codeHash, dataBoc } = tables.latestAccountStates.columns;
      const rows = await database.query(
        "select account, code_hash, data_boc from latest_account_states where account = any($1::bytea[])",
        [addressList(addresses)],
        { signal },
      );
      return new Map(
        rows.map((row) => [
          account.read(row.account ?? null),
          { codeHash: codeHash.read(row.code_hash ?? null), dataBoc: dataBoc.read(row.data_boc ?? null) },
        ]),
      );
    },
    findCodes: async (hashes, signal) => {
      const { hash, boc } = tables.codes.columns;
      const rows = await database.query(
        "select hash, boc from codes where hash = any($1::bytea[])",
        [hashList(hashes)],
        { signal },
      );
      return new Map(rows.map((row) => [hash.read(row.hash ?? null), boc.read(row.boc ?? null)]));
    },
  };
}
