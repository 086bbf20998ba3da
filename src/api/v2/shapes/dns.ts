import { Type } from "typebox";
import type { Cell } from "../../../cell/Cell.ts";
import type { ResolvedDnsRecord } from "../../../chain/contracts/dns.ts";
import { crc16 } from "../../../lib/crc.ts";
import { field, list, text } from "../../../lib/kit/shape.ts";
import { type Address, plainAddress } from "../../../model/Address.ts";
import { dnsText } from "../../../model/content/DnsRecord.ts";
import { type Hash, hashToBytes } from "../../../model/Hash.ts";
import { accountAddress, oneOf, plainBoc } from "./ids.ts";
import { hash64, hex64 } from "./scalars.ts";
import { typed } from "./typed.ts";

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** An ADNL id in the form of nodes: a tag byte, the id, a checksum; the first letter is always the same. */
function formatAdnl(id: Hash): string {
  const bytes = Buffer.concat([Buffer.of(0x2d), hashToBytes(id), Buffer.alloc(2)]);
  bytes.writeUInt16BE(crc16(bytes.subarray(0, 33)), 33);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.match(/.{5}/g) ?? [];
  return letters
    .map((five) => alphabet[Number.parseInt(five, 2)])
    .join("")
    .slice(1);
}

const adnlAddress = typed<Hash>()("adnlAddress", {
  adnl_address: field({ schema: Type.String({ pattern: "^[a-z2-7]{55}$" }), encode: formatAdnl })(
    "ADNL address of a site.",
    (id) => id,
  ),
});

const unknown = typed<Cell>()("dns.entryDataUnknown", {
  bytes: plainBoc("Record as a bag of cells in base64.", (cell) => cell),
});
const textEntry = typed<string>()("dns.entryDataText", { text: text("Text of the record.", (it) => it) });
const resolver = typed<Address>()("dns.entryDataNextResolver", {
  resolver: accountAddress("Contract that resolves the rest of the domain.", (it) => it),
});
const contract = typed<Address>()("dns.entryDataSmcAddress", {
  smc_address: accountAddress("Account that the domain leads to.", (it) => it),
});
const adnl = typed<Hash>()("dns.entryDataAdnlAddress", {
  adnl_address: adnlAddress("ADNL address of a site.", (it) => it),
});
const storage = typed<Hash>()("dns.entryDataStorageAddress", {
  bag_id: hex64("Id of a bag in TON Storage, in hex.", (it) => it),
});

const entryData = oneOf(
  [unknown, textEntry, resolver, contract, adnl, storage],
  (record: ResolvedDnsRecord["record"]) => {
    switch (record.kind) {
      case "unknown":
        return unknown.encode(record.cell);
      case "text":
        return textEntry.encode(dnsText(record.chunks));
      case "nextResolver":
        return resolver.encode(plainAddress(record.resolver));
      case "smcAddress":
        return contract.encode(plainAddress(record.address));
      case "adnlAddress":
        return adnl.encode(record.adnlAddress);
      case "storageAddress":
        return storage.encode(record.bagId);
    }
  },
);

const entry = typed<ResolvedDnsRecord>()("dns.entry", {
  name: text("Part of the domain that the record is for.", (it) => it.name),
  category: hash64("Category of the record as a hash, in base64.", (it) => it.category),
  entry: entryData("Value of the record.", (it) => it.record),
});

export const dnsResolved = typed<readonly ResolvedDnsRecord[]>()("dns.resolved", {
  entries: list(entry)("Records that were found.", (entries) => entries),
});
