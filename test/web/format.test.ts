import { Address as CoreAddress } from "@ton/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAddress, parseAddress } from "../../web/format/address.ts";
import { formatCoins, formatUnits, parseCoins } from "../../web/format/coins.ts";
import { describeExit, explainExit } from "../../web/format/exitCodes.ts";
import { hashToBase64, parseHash, shorten } from "../../web/format/hash.ts";
import { humanize, nameInterface } from "../../web/format/names.ts";
import { neutral } from "../../web/format/neutral.ts";
import { warnOfSymbol } from "../../web/format/symbols.ts";
import { formatAge, formatSpan } from "../../web/format/time.ts";
import { anyAddress, anyHash } from "../kit/model/modelValues.ts";

describe("addresses in the explorer", () => {
  it("are read in every form and written like in @ton/core", () => {
    fc.assert(
      fc.property(anyAddress, fc.boolean(), fc.boolean(), fc.boolean(), (address, bounceable, testOnly, urlSafe) => {
        const core = CoreAddress.parseRaw(address);
        const raw = address.toUpperCase();
        expect(parseAddress(address)).toBe(raw);
        expect(parseAddress(core.toString({ bounceable, testOnly, urlSafe }))).toBe(raw);
        expect(formatAddress(raw, bounceable)).toBe(core.toString({ bounceable }));
      }),
    );
  });

  it("are rejected if one letter is wrong", () => {
    const right = "EQBNdJ-XDPVhqRa0kHl_2L1cbVkIKfG1V8K4hUmaMGJdzIi0";
    expect(parseAddress(right)).toBeDefined();
    for (let at = 0; at < right.length; at++) {
      const wrong = `${right.slice(0, at)}${right[at] === "A" ? "B" : "A"}${right.slice(at + 1)}`;
      expect(parseAddress(wrong), wrong).toBeUndefined();
    }
  });
});

describe("technical names in the explorer", () => {
  it("are words, with abbreviations in capitals", () => {
    const names = ["nft_ownership_assigned", "NftTransfer", "ton_transfer", "dex_deposit_liquidity", "JettonTransfer"];
    expect(names.map(humanize)).toEqual([
      "NFT ownership assigned",
      "NFT transfer",
      "TON transfer",
      "DEX deposit liquidity",
      "Jetton transfer",
    ]);
    // The letters of an abbreviation in another word are not one.
    expect(["tonco_pool", "button_press"].map(humanize)).toEqual(["Tonco pool", "Button press"]);
  });

  it("of interfaces are those of the contract", () => {
    const names = ["wallet_v5r1", "nft_item", "nft_auction_v1", "jetton_master", "dns"];
    expect(names.map(nameInterface)).toEqual(["Wallet v5r1", "NFT item", "NFT auction v1", "Jetton", "Domain"]);
  });
});

describe("hashes in the explorer", () => {
  it("are read from hex, base64 and base64url, with and without padding", () => {
    fc.assert(
      fc.property(anyHash, (hash) => {
        const base64 = Buffer.from(hash, "hex").toString("base64");
        const forms = [hash, hash.toUpperCase(), `0x${hash}`, base64, base64.slice(0, 43)];
        const urlSafe = Buffer.from(hash, "hex").toString("base64url");
        expect([...forms, urlSafe, `${urlSafe}=`].map(parseHash)).toEqual(Array(7).fill(hash));
        expect(hashToBase64(hash)).toBe(base64);
      }),
    );
    expect(parseHash("0xAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")).toBe(`d31${"0".repeat(61)}`);
    expect(parseHash("too short")).toBeUndefined();
    expect(shorten("0123456789abcdef", 4, 2)).toBe("0123…ef");
  });
});

describe("amounts in the explorer", () => {
  it("are exact, with grouped thousands", () => {
    expect(formatCoins("1000000000000000")).toBe("1 000 000");
    expect(formatCoins("1")).toBe("0.000000001");
    expect(formatCoins("-1500000000")).toBe("−1.5");
    expect(formatUnits("12345", 0)).toBe("12 345");
    expect(formatUnits("5", 20)).toBe("0.00000000000000000005");
    expect(formatUnits("1234567", 255)).toBe(`0.${"0".repeat(24)}…`);
  });

  it("typed by a user are read exactly", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (nanocoins) => {
        expect(parseCoins(formatCoins(nanocoins))).toBe(nanocoins);
      }),
    );
    expect(["1,5", "0.1234567890", "-1", "", "1e9"].map(parseCoins)).toEqual([
      1_500_000_000n,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("texts of the explorer", () => {
  it("explain an exit code for its contract", () => {
    expect(explainExit(33, ["wallet_v4r2"])?.text).toContain("seqno");
    expect(explainExit(133, ["wallet_v5r1"])?.text).toContain("seqno");
    expect(explainExit(133)?.text).toContain("Tact");
    expect(explainExit(706, ["jetton_wallet"])?.text).toContain("jetton balance");
    expect(describeExit(-14)).toBe("-14: it ran out of gas");
    expect(describeExit(4242)).toBe("4242: a code that the contract defines itself");
  });

  it("show times relative to now", () => {
    expect(formatAge(100, 100.4)).toBe("now");
    expect(formatAge(100, 101)).toBe("1 second ago");
    expect(formatAge(100, 8_000)).toBe("2 hours ago");
    expect(formatAge(100_000, 10_000)).toBe("in 1 day");
    expect(formatSpan(0)).toBe("0 seconds");
  });
});

describe("external text in the explorer", () => {
  it("cannot turn the direction of the text around it", () => {
    for (const code of [0x61c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])
      expect(neutral(`a${String.fromCodePoint(code)}b`)).toBe("a\ufffdb");
    // Letters that are read from right to left are text like any other.
    expect(neutral("שלום, 50 \u200b")).toBe("שלום, 50 \u200b");
  });
});

describe("the symbol of a jetton", () => {
  const stranger = `0:${"A1".repeat(32)}`;
  const tether = "0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE";

  it.each([
    ...[
      "TON",
      "ton",
      " T O N ",
      "T\u200bON",
      "ТОN",
      "ΤΟΝ",
      "ＴＯＮ",
      "T0N",
      "ᴛᴏɴ",
      "𝐓𝐎𝐍",
      "TÓN",
      "$TON",
      "TON.",
      "₮ON",
      "tоn",
    ],
    ...["Toncoin", "TON Coin", "GRAM", "Grams", "gгаm".replace("г", "r"), "\u202eTON"],
  ])("%s is taken for the coin", (symbol) => {
    expect(warnOfSymbol(symbol, stranger)).toBe("not the coin");
  });

  it.each(["USDT", "USD₮", "usdt", "U$DT", "ＵＳＤＴ", "NОT"])("%s looks like a known token", (symbol) => {
    expect(warnOfSymbol(symbol, stranger)).toBe("not the known token");
  });

  it("is not doubted if it is its own", () => {
    expect(warnOfSymbol("USD₮", tether)).toBeUndefined();
    for (const symbol of ["STON", "pTON", "tsTON", "DEMO", "GRAMMAR", "NOTE", "", "🙂"])
      expect([symbol, warnOfSymbol(symbol, stranger)]).toEqual([symbol, undefined]);
  });
});
