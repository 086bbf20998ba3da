import { isUtf8 } from "node:buffer";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import type { Address } from "../../../model/Address.ts";
import type { AbiField, AbiFields, AbiType } from "../../abi/Abi.ts";
import { accountAddress } from "../../kit/addressFields.ts";
import { type BodyField, choice } from "../../kit/declare.ts";
import { ContractError } from "../../kit/errors.ts";
import { bits256, showBits } from "../../kit/fields.ts";
import type { ShowContext } from "../../kit/ShowContext.ts";

/** A record in a change of a domain. */
export type DnsRecordChange =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "nextResolver"; readonly resolver: Address | undefined }
  | { readonly kind: "adnlAddress"; readonly adnlAddr: string; readonly flags: number }
  | { readonly kind: "smcAddress"; readonly smcAddr: Address | undefined; readonly flags: number }
  | { readonly kind: "storageAddress"; readonly bagId: string };

const tags = { text: 0x1eda, nextResolver: 0xba93, adnlAddress: 0xad01, smcAddress: 0x9fd3, storageAddress: 0x7473 };

const knownTags: ReadonlySet<number> = new Set(Object.values(tags));

function loadRecord(slice: Slice): DnsRecordChange {
  const tag = slice.loadUint(16);
  switch (tag) {
    case tags.text:
      return { kind: "text", text: loadText(slice) };
    case tags.nextResolver:
      return { kind: "nextResolver", resolver: accountAddress.load(slice) };
    case tags.adnlAddress:
      return { kind: "adnlAddress", adnlAddr: bits256.load(slice), flags: slice.loadUint(8) };
    case tags.smcAddress:
      return { kind: "smcAddress", smcAddr: accountAddress.load(slice), flags: slice.loadUint(8) };
    case tags.storageAddress:
      return { kind: "storageAddress", bagId: bits256.load(slice) };
    default:
      throw unknownTag(tag);
  }
}

/** Whether the tag of a record is known; the slice does not move. */
export function isKnownRecord(slice: Slice): boolean {
  return knownTags.has(slice.preloadUint(16));
}

function showRecord(slice: Slice, showing: ShowContext): JsonValue {
  showing.spend(160);
  const tag = slice.loadUint(16);
  switch (tag) {
    case tags.text:
      return { "@type": "dns_text", "": showText(slice, showing) };
    case tags.nextResolver:
      return { "@type": "dns_next_resolver", resolver: accountAddress.show(slice, showing) };
    case tags.adnlAddress: {
      const record = { "@type": "dns_adnl_address", adnl_addr: bits256.show(slice, showing) };
      return { ...record, ...showFlagged("proto_list", protocol, slice, showing) };
    }
    case tags.smcAddress: {
      const record = { "@type": "dns_smc_address", smc_addr: accountAddress.show(slice, showing) };
      return { ...record, ...showFlagged("cap_list", capability, slice, showing) };
    }
    case tags.storageAddress:
      return { "@type": "dns_storage_address", bag_id: bits256.show(slice, showing) };
    default:
      throw unknownTag(tag);
  }
}

function unknownTag(tag: number): ContractError {
  return new ContractError("contracts/tag", `${tag.toString(16)} is not a known domain record`);
}

/** The fields of a record that has a list if its flags say so. */
const flagged = (first: AbiField, list: string): AbiFields => [
  first,
  { name: "flags", type: "uint8" },
  { name: list, type: "slice" },
];

/** Lists and texts of several chunks have no type of their own. */
const dnsRecordType: AbiType = {
  union: [
    { name: "dns_text", tag: "#1eda", fields: [{ name: "text", type: "slice" }] },
    { name: "dns_next_resolver", tag: "#ba93", fields: [{ name: "resolver", type: "address" }] },
    { name: "dns_adnl_address", tag: "#ad01", fields: flagged({ name: "adnl_addr", type: "bits256" }, "proto_list") },
    { name: "dns_smc_address", tag: "#9fd3", fields: flagged({ name: "smc_addr", type: "address" }, "cap_list") },
    { name: "dns_storage_address", tag: "#7473", fields: [{ name: "bag_id", type: "bits256" }] },
  ],
};

// dns_text#1eda _:Text; dns_next_resolver#ba93 resolver:MsgAddressInt;
// dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) { flags <= 1 } proto_list:flags . 0?ProtoList;
// dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) { flags <= 1 } cap_list:flags . 0?SmcCapList;
// dns_storage_address#7473 bag_id:bits256
export const dnsRecord: BodyField<DnsRecordChange> = { load: loadRecord, show: showRecord, abi: dnsRecordType };

// text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
// text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
// chunk_ref$_ {n:#} ref:^(TextChunks (n + 1)) = TextChunkRef (n + 1); text_chunk_empty$_ = TextChunks 0;
function loadText(slice: Slice): string {
  const parts: Uint8Array[] = [];
  let at = slice;
  for (let left = slice.loadUint(8); left > 0; left--) {
    parts.push(at.loadBytes(at.loadUint(8)));
    if (left > 1) at = sliceOf(at.loadRef());
  }
  const bytes = Buffer.concat(parts);
  if (!isUtf8(bytes)) throw new ContractError("contracts/text", "the text of the record is not UTF-8");
  return bytes.toString("utf8");
}

function showText(slice: Slice, showing: ShowContext): JsonValue {
  const chunks = slice.loadUint(8);
  return { "@type": "text", chunks: String(chunks), rest: showChunks(slice, chunks, showing) };
}

function showChunks(slice: Slice, left: number, showing: ShowContext): JsonValue {
  if (left === 0) return { "@type": "text_chunk_empty" };
  showing.enter();
  showing.spend(640);
  const length = slice.loadUint(8);
  const data = showBits(slice, length * 8);
  const next = showNext(slice, left - 1, showing);
  showing.leave();
  return { "@type": "text_chunk", len: String(length), data, next };
}

function showNext(slice: Slice, left: number, showing: ShowContext): JsonValue {
  if (left === 0) return { "@type": "chunk_ref_empty" };
  const inner = sliceOf(slice.loadRef());
  const chunks = showChunks(inner, left, showing);
  inner.end();
  return { "@type": "chunk_ref", ref: chunks };
}

const protocol = choice({ proto_http: ["#4854", {}] });
const capability = choice({
  cap_method_seqno: ["#5371", {}],
  cap_method_pubkey: ["#71f4", {}],
  cap_is_wallet: ["#2177", {}],
  cap_name: ["#ff", { name: { load: loadText, show: showText, abi: "slice" } }],
});

/** A list that exists only when the flag is set; otherwise the field is omitted. */
function showFlagged(name: string, item: BodyField<unknown>, slice: Slice, showing: ShowContext): JsonObject {
  const flags = slice.loadUint(8);
  if (flags > 1) throw new ContractError("contracts/tag", `flags ${flags}`);
  if (flags === 0) return { flags: "0" };
  return { flags: "1", [name]: showList(name, item, slice, showing) };
}

// cap_list_nil$0 = SmcCapList; cap_list_next$1 item:SmcCapability next:SmcCapList = SmcCapList;
function showList(name: string, item: BodyField<unknown>, slice: Slice, showing: ShowContext): JsonValue {
  if (!slice.loadBit()) return { "@type": `${name}_nil` };
  showing.enter();
  showing.spend(64);
  const shown = item.show(slice, showing);
  const next = showList(name, item, slice, showing);
  showing.leave();
  return { "@type": `${name}_next`, item: shown, next };
}
