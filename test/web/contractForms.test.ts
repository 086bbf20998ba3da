import { describe, expect, it } from "vitest";
import { listChanges, listStates } from "../../web/contract/difference.ts";
import { formatLabels, parseLabels } from "../../web/contract/labelsFile.ts";
import { formatListing } from "../../web/contract/listing.ts";
import { listMessages, transferLink } from "../../web/contract/messages.ts";
import { formatAddress } from "../../web/format/address.ts";

const address = `0:${"AB".repeat(32)}`;
const friendly = formatAddress(address);

describe("the messages of a contract", () => {
  it("are those of all its ABIs, of one name the first", () => {
    const message = (name: string, ...names: string[]) => ({
      name,
      fields: names.map((each) => ({ name: each, type: "int8" })),
    });
    const abis = [
      { receives: [message("burn", "a"), message("send")] },
      {},
      { receives: [message("burn", "b"), message("mint")] },
    ];
    expect(listMessages({ abis })).toEqual([message("burn", "a"), message("send"), message("mint")]);
  });

  it("are offered to wallets by a link with the body in the URL form of base64", () => {
    expect(transferLink("EQ_a", 100_000_000n, "te6+/w==")).toBe("ton://transfer/EQ_a?amount=100000000&bin=te6-_w");
  });
});

describe("the difference of decoded data", () => {
  it("has the values that differ, with fields, keys of dictionaries and places of lists", () => {
    const before = {
      a: 1,
      b: { c: "x", d: null },
      list: [1, 2],
      dict: [
        { key: "7", value: { n: 1 } },
        { key: "8", value: { n: 2 } },
      ],
    };
    const after = {
      a: 1,
      b: { c: "y", d: { e: 5 } },
      list: [1],
      dict: [
        { key: "8", value: { n: 3 } },
        { key: "9", value: { n: 4 } },
      ],
    };
    expect(listChanges(before, after)).toEqual([
      { path: ["b", "c"], before: "x", after: "y" },
      { path: ["b", "d"], before: null, after: { e: 5 } },
      { path: ["list", "2"], before: 2, after: undefined },
      { path: ["dict", "7"], before: { n: 1 }, after: undefined },
      { path: ["dict", "8", "n"], before: 2, after: 3 },
      { path: ["dict", "9"], before: undefined, after: { n: 4 } },
    ]);
    expect(listChanges(before, structuredClone(before))).toEqual([]);
  });

  it("is bounded, however much and however deep a contract stores", () => {
    const many = (value: number) => Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, value]));
    expect(listChanges(many(1), many(2))).toHaveLength(200);
    const deep = (value: unknown) => Array.from({ length: 100 }).reduce<unknown>((inner) => ({ inner }), value);
    expect(listChanges(deep(1), deep(2))[0]?.path).toHaveLength(16);
  });

  it("is between states at the ends of masterchain blocks", () => {
    const transactions = [9, 9, 8, 5, 5, 5].map((seqno, at) => ({ mc_block_seqno: seqno, at }));
    expect(listStates(transactions).map(({ at }) => at)).toEqual([0, 2, 3]);
  });
});

describe("a listing of instructions", () => {
  it("is indented, names methods, and cuts long lines", () => {
    const lines = [
      { depth: 0, text: "SETCP 0" },
      { depth: 1, text: "method 85143:", method: 85143 },
      { depth: 2, text: `PUSHSLICE x${"A".repeat(300)}` },
      { depth: 1, text: "method 5:", method: 5 },
    ];
    expect(formatListing(lines, (id) => (id === 85143 ? "seqno" : undefined)).split("\n")).toEqual([
      "SETCP 0",
      "  method seqno (85143):",
      `    PUSHSLICE x${"A".repeat(189)}…`,
      "  method 5:",
    ]);
  });
});

describe("labels in a file", () => {
  const file = (labels: unknown) => JSON.stringify({ "tongate-labels": 1, labels });

  it("are read as they were written", () => {
    const labels = { [address]: "my <b>safe</b>", [`-1:${"33".repeat(32)}`]: "Ω" };
    expect(parseLabels(formatLabels(labels))).toEqual(labels);
    expect(parseLabels(file({ [friendly]: " x " }))).toEqual({ [address]: "x" });
  });

  it.each([
    ["no JSON", "{", "This is not a file of labels."],
    ["another file", "[1]", "This is not a file of labels."],
    ["a list", file(["x"]), "This is not a file of labels."],
    ["what is no address", file({ me: "x" }), "me is not an address."],
    [
      "a label that is no text",
      file({ [friendly]: 5 }),
      `The label of ${friendly} is not a text of 1 to 60 characters in one line.`,
    ],
    [
      "a long label",
      file({ [friendly]: "x".repeat(61) }),
      `The label of ${friendly} is not a text of 1 to 60 characters in one line.`,
    ],
    [
      "a label of two lines",
      file({ [friendly]: "a\nb" }),
      `The label of ${friendly} is not a text of 1 to 60 characters in one line.`,
    ],
    [
      "too many",
      file(Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`a${at}`, "x"]))),
      "The file has more than 5000 labels.",
    ],
    ["a large file", " ".repeat(1_000_001), "The file is too large for a list of labels."],
  ])("are refused: %s", (_what, text, reason) => {
    expect(parseLabels(text)).toBe(reason);
  });

  it("lose marks that turn the direction of text", () => {
    expect(parseLabels(file({ [friendly]: "a\u202eb" }))).toEqual({ [address]: "a\ufffdb" });
  });
});
