import type { Builder } from "../../cell/Builder.ts";
import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Codec, cell, loadCell, parseTag, storeCell, union, type ValueOf } from "../../cell/codec.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { concatBytes } from "../../lib/bytes.ts";
import { ModelError } from "../errors.ts";
import { type Hash, hash } from "../Hash.ts";
import { internalAddress } from "../messageAddress.ts";
import { findText } from "./Snake.ts";

// chunk_ref$_ {n:#} ref:^(TextChunks (n + 1)) = TextChunkRef (n + 1);
// chunk_ref_empty$_ = TextChunkRef 0;
// text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
// text_chunk_empty$_ = TextChunks 0;
// text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
/** Text in its stored pieces; `dnsText` joins them. */
export const Text: Codec<readonly Uint8Array[]> = {
  load: (slice) => {
    const chunks: Uint8Array[] = [];
    let at: Slice = slice;
    for (let left = slice.loadUint(8); left > 0; left--) {
      chunks.push(at.loadBytes(at.loadUint(8)));
      const next: Slice = left > 1 ? sliceOf(at.loadRef()) : at;
      if (at !== slice) at.end();
      at = next;
    }
    return chunks;
  },
  store: (builder, chunks) => {
    builder.storeUint(chunks.length, 8);
    let next: Cell | undefined;
    for (let i = chunks.length - 1; i >= 0; i--) {
      const target: Builder = i === 0 ? builder : beginCell();
      const chunk = chunks[i] as Uint8Array;
      target.storeUint(chunk.length, 8).storeBytes(chunk);
      if (next !== undefined) target.storeRef(next);
      next = i === 0 ? undefined : target.cell();
    }
  },
};

/** The text of a record; throws when it is not UTF-8. */
export function dnsText(chunks: readonly Uint8Array[]): string {
  const text = findText(concatBytes(chunks));
  if (text === undefined) throw new ModelError("model/value", "the text of a record is not UTF-8");
  return text;
}

/** Items in one cell, each after a bit that says there is one more. */
function list<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    load: (slice) => {
      const items: T[] = [];
      while (slice.loadBit()) items.push(item.load(slice));
      return items;
    },
    store: (builder, items) => {
      for (const value of items) item.store(builder.storeBit(true), value);
      builder.storeBit(false);
    },
  };
}

// flags:(## 8) { flags <= 1 } list:flags . 0?X
function flagged<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    load: (slice) => {
      const flags = slice.loadUint(8);
      if (flags > 1) throw new ModelError("model/value", `flags ${flags} where 0 and 1 are known`);
      return flags === 1 ? codec.load(slice) : undefined;
    },
    store: (builder, value) => {
      builder.storeUint(value === undefined ? 0 : 1, 8);
      if (value !== undefined) codec.store(builder, value);
    },
  };
}

// proto_http#4854 = Protocol;
export const Protocol = union({ http: ["#4854", {}] });

// cap_method_seqno#5371 = SmcCapability;
// cap_method_pubkey#71f4 = SmcCapability;
// cap_is_wallet#2177 = SmcCapability;
// cap_name#ff name:Text = SmcCapability;
export const SmcCapability = union({
  methodSeqno: ["#5371", {}],
  methodPubkey: ["#71f4", {}],
  isWallet: ["#2177", {}],
  name: ["#ff", { name: Text }],
});

// dns_text#1eda _:Text = DNSRecord;
// dns_next_resolver#ba93 resolver:MsgAddressInt = DNSRecord;
// dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) { flags <= 1 } proto_list:flags . 0?ProtoList = DNSRecord;
// proto_list_nil$0 = ProtoList; proto_list_next$1 head:Protocol tail:ProtoList = ProtoList;
// dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) { flags <= 1 } cap_list:flags . 0?SmcCapList = DNSRecord;
// cap_list_nil$0 = SmcCapList; cap_list_next$1 head:SmcCapability tail:SmcCapList = SmcCapList;
// dns_storage_address#7473 bag_id:bits256 = DNSRecord;
const records = {
  text: ["#1eda", { chunks: Text }],
  nextResolver: ["#ba93", { resolver: internalAddress }],
  adnlAddress: ["#ad01", { adnlAddress: hash, protocols: flagged(list(Protocol)) }],
  smcAddress: ["#9fd3", { address: internalAddress, capabilities: flagged(list(SmcCapability)) }],
  storageAddress: ["#7473", { bagId: hash }],
} as const;
export const DnsRecord = union(records);
export type DnsRecord = ValueOf<typeof DnsRecord>;

const knownTags: ReadonlySet<number> = new Set(Object.values(records).map(([tag]) => parseTag(tag).value));

/** A record, or the cell itself when its constructor is unknown. */
export function loadDnsRecord(cell: Cell): DnsRecord | { readonly kind: "unknown"; readonly cell: Cell } {
  const slice = sliceOf(cell);
  if (slice.remainingBits < 16 || !knownTags.has(slice.preloadUint(16))) return { kind: "unknown", cell };
  return loadCell(DnsRecord, cell);
}

export function storeDnsRecord(record: DnsRecord): Cell {
  return storeCell(DnsRecord, record);
}

// _ (HashmapE 256 ^DNSRecord) = DNS_RecordSet;
/** All records of a name by the SHA-256 of their category; each stays a cell until it is read. */
export type DnsRecordSet = Dictionary<Hash, Cell>;

/** Each record may hold 32 KB of text; names have four known categories. */
const maxRecords = 256;

export function dnsRecordSet(root: Cell | undefined): DnsRecordSet {
  return new Dictionary(root, hashKey, cell, maxRecords);
}

/** Known categories, by the SHA-256 of their name. */
export const dnsCategories = {
  wallet: "e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b",
  site: "fbae041b02c41ed0fd8a4efb039bc780dd6af4a1f0c420f42561ae705dda43fe",
  storage: "49a25f9feefaffecad0fcd30c50dc9331cff8b55ece53def6285c09e17e6f5d7",
  dns_next_resolver: "19f02441ee588fdb26ee24b2568dd035c3c9206e11ab979be62e55558a1d17ff",
} as const;
