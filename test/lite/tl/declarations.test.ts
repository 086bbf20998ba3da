import { describe, expect, it } from "vitest";
import { publicKeyEd25519 } from "../../../src/lite/tl/adnlRecords.ts";
import * as liteQueryModule from "../../../src/lite/tl/liteQueries.ts";
import { liteQueries } from "../../../src/lite/tl/liteQueries.ts";
import * as liteRecordModule from "../../../src/lite/tl/liteRecords.ts";
import { needsNothing } from "../../../src/lite/tl/need.ts";
import { query, record, union } from "../../../src/lite/tl/record.ts";
import { bytes, int, long, nat, when } from "../../../src/lite/tl/types.ts";
import { checkDeclaration, checkUnion } from "../../kit/lite/tlChecks.ts";
import {
  adnlRecords,
  adnlUnions,
  consensusRecords,
  liteEnvelopes,
  liteRecords,
  liteUnions,
} from "../../kit/lite/tlLists.ts";
import { refusalCode } from "../../kit/suite/refusal.ts";

const all = [...liteRecords, ...liteQueries, ...liteEnvelopes, ...adnlRecords, ...consensusRecords];

// Constructor ids from the contract and the reference.
const knownIds = {
  "tonNode.blockId": "b7cdb167",
  "tonNode.blockIdExt": "6752eb78",
  "tonNode.zeroStateIdExt": "1d7235ae",
  "liteServer.error": "bba9e148",
  "liteServer.accountId": "75a0e2c5",
  "liteServer.masterchainInfo": "85832881",
  "liteServer.transactionList": "6f26c60b",
  "liteServer.transactionId": "b12f65af",
  "liteServer.blockTransactions": "bd8cad2b",
  "liteServer.partialBlockProof": "8ed0d2c1",
  "liteServer.blockLinkBack": "ef7e1bef",
  "liteServer.blockLinkForward": "520fce1c",
  "liteServer.signatureSet.ordinary": "f644a6e6",
  "liteServer.signatureSet.simplex": "ac249800",
  "liteServer.getMasterchainInfo": "89b5e62e",
  "liteServer.getAccountState": "6b890e25",
  "liteServer.runSmcMethod": "5cc65dd2",
  "liteServer.getConfigParams": "2a111c19",
  "liteServer.getLibraries": "d122b662",
  "liteServer.getValidatorStats": "091a58bc",
  "liteServer.query": "798c06df",
  "liteServer.waitMasterchainSeqno": "baeab892",
  "adnl.message.query": "b48bf97a",
  "adnl.message.answer": "0fac8416",
  "pub.ed25519": "4813b4c6",
  "tcp.ping": "4d082b9a",
  "tcp.pong": "dc69fb03",
  "tcp.authentificate": "445bab12",
};

describe("the declared schema", () => {
  it.each(all)("$line matches its fields", (declared) => {
    checkDeclaration(declared);
  });

  it.each([...liteUnions, ...adnlUnions])("$name has its own constructors", (declared) => {
    checkUnion(declared);
  });

  it("lists all declarations", () => {
    const declared = [...Object.values(liteRecordModule), ...Object.values(liteQueryModule)].filter(
      (value) => typeof value === "object" && "line" in value,
    );
    expect(new Set<unknown>([...liteRecords, ...liteQueries, ...liteEnvelopes])).toEqual(new Set<unknown>(declared));
  });

  it("has no duplicate id", () => {
    expect(new Set(all.map((declared) => declared.id)).size).toBe(all.length);
  });

  it("has the known ids", () => {
    const ids = Object.fromEntries(all.map(({ name, id }) => [name, id.toString(16).padStart(8, "0")]));
    expect(ids).toMatchObject(knownIds);
  });
});

describe("checkDeclaration", () => {
  it.each([
    ["another name", record("a x_y:int = A", { xY2: int })],
    ["another type", record("a x:int = A", { x: long })],
    ["another order", record("a x:int y:int = A", { y: int, x: int })],
    ["a field too few", record("a x:int y:int = A", { x: int })],
    ["a field too many", record("a x:int = A", { x: int, y: int })],
    ["another bit", record("a mode:# x:mode.1?int = A", { mode: nat, x: when("mode", 2, int) })],
    ["no bit", record("a mode:# x:mode.1?int = A", { mode: nat, x: int })],
    ["another answer", query("a = A", {}, record("b = B", {}), needsNothing)],
    ["a line that is none", record("a x = A", {})],
  ])("rejects %s", (_, declared) => {
    expect(refusalCode(() => checkDeclaration(declared))).toBe("lite/tl-value");
  });
});

describe("checkUnion", () => {
  it("rejects a constructor of another type", () => {
    expect(refusalCode(() => checkUnion(union("A", { key: publicKeyEd25519 })))).toBe("lite/tl-value");
  });

  it("rejects two constructors with one id", () => {
    const one = record("one#00000001 x:int = A", { x: int });
    const other = record("other#00000001 x:bytes = A", { x: bytes });
    expect(refusalCode(() => checkUnion(union("A", { one, other })))).toBe("lite/tl-value");
  });
});
