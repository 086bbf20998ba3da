import { beginCell } from "@ton/core";
import { describe, expect, it } from "vitest";
import { commentHash } from "../../web/pages/search/commentHash.ts";
import { matchNames } from "../../web/pages/search/findByWords.ts";
import { choose } from "../../web/pages/search/findPath.ts";
import type { SearchResult } from "../../web/pages/search/SearchResult.ts";

describe("a search by words", () => {
  it("finds names in any case of letters, whole ones and parts", () => {
    const all = [
      { address: "0:A", names: ["wallet 1", "alice.ton"] },
      { address: "0:B", names: ["Wallet 10"] },
      { address: "0:C", names: ["Elector"] },
    ];
    expect(matchNames("WALLET 1", all, "account", "address")).toEqual([
      { kind: "account", title: "wallet 1", path: "/address/0:A", isExact: true },
      { kind: "account", title: "Wallet 10", path: "/address/0:B", isExact: false },
    ]);
    expect(matchNames("alice", all, "account", "address")).toEqual([
      { kind: "account", title: "alice.ton", path: "/address/0:A", isExact: false },
    ]);
    expect(matchNames("nobody", all, "token", "jetton")).toEqual([]);
  });

  it("goes to the only result or to the only exact one, and lists several", () => {
    const result = (path: string, isExact: boolean, kind: SearchResult["kind"] = "account"): SearchResult => ({
      kind,
      title: "x",
      path,
      isExact,
    });
    const [one, two, part] = [result("/1", true), result("/2", true), result("/3", false)];
    const comment = result("/4", true, "comment");
    expect(choose([])).toEqual([]);
    expect(choose([part])).toBe("/3");
    expect(choose([one, part, comment])).toBe("/1");
    expect(choose([one, two])).toEqual([one, two]);
    expect(choose([comment])).toBe("/4");
    expect(choose([comment, part])).toEqual([comment, part]);
  });

  it.each(["", "lunch", "ж".repeat(61), "x".repeat(123), "x".repeat(124), "long ".repeat(200)])(
    "finds a comment by the hash of its body: %j",
    (comment) => {
      const body = beginCell().storeUint(0, 32).storeStringTail(comment).endCell();
      expect(commentHash(comment)).toBe(body.hash().toString("hex"));
    },
  );
});
