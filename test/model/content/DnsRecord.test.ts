import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import {
  DnsRecord,
  dnsCategories,
  dnsText,
  loadDnsRecord,
  storeDnsRecord,
  Text,
} from "../../../src/model/content/DnsRecord.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import { anyAddress, anyHash, orAbsent } from "../../kit/model/modelValues.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const anyText = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 5 });
const plain = fc.oneof(
  fc.record({ kind: fc.constant<"methodSeqno">("methodSeqno") }),
  fc.record({ kind: fc.constant<"methodPubkey">("methodPubkey") }),
  fc.record({ kind: fc.constant<"isWallet">("isWallet") }),
);
const name = fc.record({ kind: fc.constant<"name">("name"), name: anyText });
const capabilities = fc.tuple(fc.array(plain, { maxLength: 4 }), orAbsent(name));
const anyRecord: fc.Arbitrary<DnsRecord> = fc.oneof(
  fc.record({ kind: fc.constant<"text">("text"), chunks: anyText }),
  fc.record({ kind: fc.constant<"nextResolver">("nextResolver"), resolver: anyAddress }),
  fc.record({
    kind: fc.constant<"adnlAddress">("adnlAddress"),
    adnlAddress: anyHash,
    protocols: orAbsent(fc.array(fc.record({ kind: fc.constant<"http">("http") }), { maxLength: 3 })),
  }),
  fc.record({
    kind: fc.constant<"smcAddress">("smcAddress"),
    address: anyAddress,
    capabilities: orAbsent(capabilities.map(([list, last]) => (last === undefined ? list : [...list, last]))),
  }),
  fc.record({ kind: fc.constant<"storageAddress">("storageAddress"), bagId: anyHash }),
);

describe("records of names", () => {
  itHoldsForRandom("Text", Text, anyText);
  itHoldsForRandom("DnsRecord", DnsRecord, anyRecord);

  it("have categories identified by the hash of their name", () => {
    for (const [category, hash] of Object.entries(dnsCategories))
      expect(createHash("sha256").update(category).digest("hex")).toBe(hash);
  });

  it("read text in pieces as one", () => {
    const chunks = [Buffer.from("При"), Buffer.from(""), Buffer.from("вет")];
    const cell = storeDnsRecord({ kind: "text", chunks });
    const record = loadDnsRecord(cell);
    if (record.kind !== "text") throw new Error("another record");
    expect(dnsText(record.chunks)).toBe("Привет");
    expect(cell.depth()).toBe(2);
    expect(refusalCode(() => dnsText([Uint8Array.of(0xff)]))).toBe("model/value");
  });

  it("read a recorded wallet address", () => {
    const bits = Buffer.from("9fd3801351f8768b1afe690546b3970c8de442af0392d8e6ea852a66823880030c2326e0", "hex");
    expect(loadDnsRecord(beginCell().storeBits(bits, 283).storeUint(0, 8).cell())).toEqual({
      kind: "smcAddress",
      address: "0:9a8fc3b458d7f3482a359cb8646f2215781c96c7375429533411c40018611937",
      capabilities: undefined,
    });
  });

  it("stay cells if their kind is unknown", () => {
    for (const cell of [beginCell().cell(), beginCell().storeUint(0x1234, 16).cell()])
      expect(loadDnsRecord(cell)).toEqual({ kind: "unknown", cell });
  });

  it("are rejected with unknown flags", () => {
    const cell = beginCell().storeUint(0xad01, 16).storeHex("ab".repeat(32)).storeUint(2, 8).cell();
    expect(refusalCode(() => loadDnsRecord(cell))).toBe("model/value");
    const text = beginCell().storeUint(0x1eda, 16).storeUint(255, 8).storeUint(1, 8).storeUint(65, 8).cell();
    expect(refusalCode(() => loadCell(DnsRecord, text))).toBe("cell/underflow");
  });

  it("may have up to 255 pieces", () => {
    const chunks = Array.from({ length: 255 }, () => Uint8Array.of(65));
    expect(loadCell(Text, storeCell(Text, chunks)).length).toBe(255);
    expect(refusalCode(() => storeCell(Text, [...chunks, Uint8Array.of(1)]))).toBe("cell/range");
  });
});
