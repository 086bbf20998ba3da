import type { Address } from "../../model/Address.ts";
import { dnsEntries } from "../entities/dnsEntries.ts";
import { address, int4, text } from "../store/schema/columns.ts";
import { type Row, readRow, selectList } from "../store/schema/Table.ts";
import { by, listSql, type Order, type Page } from "./kit/Page.ts";
import { listQuery } from "./kit/readPage.ts";
import { Params, type Statement } from "./kit/Statement.ts";

export type DnsEntryRow = Row<typeof dnsEntries>;

/** Records by wallet or by domain. */
export type DnsFilter =
  | { readonly kind: "wallet"; readonly wallet: Address }
  | { readonly kind: "domain"; readonly domain: string };

const order: Order = [
  { sql: "length(e.domain)", name: "domain_length", column: int4, direction: "asc", isNullable: false },
  by("e.domain", text(), "asc"),
  by("e.nft_item_address", address, "asc"),
];

export function dnsRecordsSql(filter: DnsFilter, page: Page): Statement {
  const params = new Params();
  return listSql(params, {
    select: `${selectList(dnsEntries, "e")}, length(e.domain) as domain_length`,
    from: "dns_entries e",
    where: [
      filter.kind === "wallet"
        ? `e.dns_wallet = ${params.of(address, filter.wallet)}`
        : `e.domain = ${params.of(text(), filter.domain)}`,
    ],
    order,
    page,
  });
}

/** DNS records, the shortest domain first. */
export const listDnsRecords = listQuery(
  dnsRecordsSql,
  () => order,
  (row) => readRow(dnsEntries, row),
);
