import { addressBook } from "../../history/queries/addressBook.ts";
import { type DnsEntryRow, type DnsFilter, listDnsRecords } from "../../history/queries/dns.ts";
import { shape } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import { arg } from "../declare/argument.ts";
import { addressArg, cursorArgs, pageArgs, textArg } from "./args/args.ts";
import { refusal } from "./args/refusals.ts";
import { indexEndpoint } from "./declare.ts";
import { onHistory, pageOf } from "./onHistory.ts";
import { by, within } from "./scope/scopeRule.ts";
import { bookFields, type ItemsWithBook, itemsOf } from "./shapes/book.ts";
import { dnsRecord } from "./shapes/dns.ts";

function filterOf(wallet: Address | undefined, domain: string | undefined): DnsFilter {
  if (wallet !== undefined && domain !== undefined) throw refusal("walletAndDomain");
  if (wallet !== undefined) return { kind: "wallet", wallet };
  if (domain !== undefined) return { kind: "domain", domain };
  throw refusal("walletOrDomainNeeded");
}

export const dnsRecords = indexEndpoint({
  name: "dns/records",
  tag: "dns",
  scope: within([by.never("wallet")], ["domain"]),
  summary: "Records of domains by domain or by the wallet they lead to.",
  description: "Domains right below `.ton` and `.t.me` are known. Give either `wallet` or `domain`.",
  args: {
    wallet: arg("Wallet that the domain leads to.", addressArg),
    domain: arg("A domain, such as `alice.ton`.", textArg, "domain"),
    ...pageArgs,
    ...cursorArgs,
  },
  result: shape<ItemsWithBook<DnsEntryRow>>()({
    records: itemsOf(dnsRecord, "DNS records that match."),
    ...bookFields,
  }),
  run: onHistory(async ({ reading, items }, args) => {
    const filter = filterOf(args.wallet, args.domain);
    const page = pageOf(args, reading.options, reading.options.defaultDnsLimit);
    const records = items(await listDnsRecords(reading, filter, page));
    const involved = records.flatMap((row) => [row.nftItemAddress, row.nftItemOwner, row.dnsWallet]);
    return { items: records, book: await addressBook(reading, involved) };
  }),
});
