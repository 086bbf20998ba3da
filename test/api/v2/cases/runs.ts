import { expect } from "vitest";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import { crcForm, writeBoc } from "../../../../src/cell/boc.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { makeExternalMessage } from "../../../../src/chain/message.ts";
import { toBase64 } from "../../../../src/lib/bytes.ts";
import { parseAddress } from "../../../../src/model/Address.ts";
import { methodId } from "../../../../src/model/vm/methodId.ts";
import { type Case, gives, refuses } from "./Case.ts";

/* Endpoints that run code or send messages, over the first 24 masterchain blocks of the recorded chain. */

const nobody = "0:7945bc2d6e4fd0a0be5216460557bef483a80b6af0acbcdf06866f5c473b9367";
const elector = "-1:3333333333333333333333333333333333333333333333333333333333333333";
const emptyBag = "te6cckEBAQEAAgAAAEysuc0=";
const emptyTree = { data: { b64: "", len: 0 }, refs: [] };
const head = {
  "@type": "ton.blockIdExt",
  workchain: -1,
  shard: "-9223372036854775808",
  seqno: 24,
  root_hash: "RY0O5ShFRAbsda0NHKCC0RW0ToG7ITuprm+/wdP+6/c=",
  file_hash: "4sakWCw0nA3M9zVWm08rljArZ6ENAQhZbzYyrsLMV9w=",
};

const badAddresses: readonly Case[] = [
  refuses("no address", {}, 422, "failed to parse address"),
  refuses("words", { address: "not_an_address" }, 422, "failed to parse address"),
];
const badBags: readonly Case[] = [
  refuses("nothing", {}, 422, "empty boc"),
  refuses("an empty text", { boc: "" }, 422, "empty boc"),
  refuses("no base64", { boc: "!!!" }, 422, "failed to parse boc"),
];
const badMessage = refuses("a cell that is no message", { boc: emptyBag }, 500, "Failed to unpack Message");
const run = { address: elector, method: "active_election_id" };
const badRuns: readonly Case[] = [
  refuses("no address", { method: "seqno", stack: [] }, 422, "failed to parse address"),
  refuses("no method", { address: elector, stack: [] }, 422, "failed to parse method"),
  refuses("no stack", run, 422, "Stack should be array"),
  refuses("a stack that is none", { ...run, stack: "x" }, 422, "Stack should be array"),
  refuses("a seqno of zero", { ...run, stack: [], seqno: 0 }, 422, "seqno should be positive"),
];
// Contains only the address of the contract.
const message = base64Of(
  makeExternalMessage({ address: parseAddress(elector).address, body: emptyCell, init: undefined }),
);
const sent = {
  "@type": "raw.extMessageInfo",
  hash: "SPS+vdPmpzU01bF0i8nhncfwoc78povJjkwQ6aBIAs4=",
  hash_norm: "TcFnmt7D5epm/MjVY+V7kg1OmPEXYI9MQAmgr5hmLjE=",
};
/** A vector from the contract; this chain has no such account. */
const strayMessage = "te6cckEBAQEAKQAATYgBB7+qpcxuU2jl+XmRiL15jNIuBKsW0djqT8N0gHQeY1AAkaKzxHSw9a8=";
// ext_out_msg_info$11 src:addr_std$10 anycast:nothing$0 dest:addr_none$00 created_lt:0 created_at:0, empty
const outMessage = base64Of(
  beginCell()
    .storeUint(0b11100, 5)
    .storeBigUint(0n, 264 + 2 + 96 + 2)
    .cell(),
);

function base64Of(cell: Cell): string {
  return toBase64(writeBoc(cell, crcForm));
}

const wide = 2n ** 256n;
const hexOf = (value: bigint) => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`);
const decimalOf = (value: bigint) => ({
  "@type": "tvm.stackEntryNumber",
  number: { "@type": "tvm.numberDecimal", number: String(value) },
});
const tupleOf = (value: bigint) => ["tuple", { "@type": "tvm.tuple", elements: [decimalOf(value), decimalOf(1n)] }];
const wideRuns: readonly (readonly [string, readonly unknown[]])[] = [
  ["a number beyond the machine's", [["num", hexOf(wide)]]],
  ["a negative one beyond the machine's", [["num", hexOf(-wide - 1n)]]],
  [
    "the largest that is read, and one of the machine's",
    [
      ["num", hexOf(10n ** 80n - 1n)],
      ["num", "-0x1"],
    ],
  ],
  ["the same twice, and inside of a tuple", [["num", hexOf(wide)], ["num", hexOf(wide)], tupleOf(wide)]],
];

/** Without code the stack comes back, with the method id on top. */
function untouched(stack: readonly unknown[]) {
  return {
    "@type": "smc.runResult",
    ...{ gas_used: 0, stack: [...stack, ["num", "0x1"]], exit_code: -13, block_id: head },
    last_transaction_id: {
      "@type": "internal.transactionId",
      lt: "0",
      hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    },
  };
}

const fees = {
  "@type": "query.fees",
  source_fees: { "@type": "fees", in_fwd_fee: 100, storage_fee: 0, gas_fee: 1000, fwd_fee: 0 },
  destination_fees: [],
};
const noAccount =
  "LITE_SERVER_UNKNOWN: cannot apply external message to current state : Failed to unpack account state";

/** The cases of every endpoint that runs code or sends messages. */
export const runCases = {
  runGetMethod: [
    gives(
      "a method of a contract",
      { ...run, stack: [] },
      {
        "@type": "smc.runResult",
        ...{ gas_used: 1292, stack: [["num", "0x0"]], exit_code: 0, block_id: head },
        last_transaction_id: {
          "@type": "internal.transactionId",
          lt: "25000002",
          hash: "LVDwfk0jaEHTsnPwVG6g/eYFf2FXBt8lORfCrkvZkIU=",
        },
      },
    ),
    gives(
      "a method that is not there, with what is left",
      { address: elector, method: "nothing", stack: [] },
      expect.objectContaining({ exit_code: 11, stack: [["num", `0x${methodId("nothing").toString(16)}`]] }),
    ),
    refuses("one element", { ...run, stack: [["num"]] }, 422, "Expected 2 elements in stack entry, got: 1"),
    refuses("a tag that is none", { ...run, stack: [[1, 2]] }, 422, "Expected string as first element in stack entry"),
    ...["tvm.Cell", "tvm.Slice", "cell", "slice"].map((tag) =>
      refuses(
        `no ${tag}`,
        { ...run, stack: [[tag, tag.startsWith("tvm.") ? "" : { bytes: "" }]] },
        422,
        `Empty ${tag}`,
      ),
    ),
    refuses(
      "a number as a slice",
      { ...run, stack: [["tvm.Slice", 5]] },
      422,
      "Invalid tvm.Slice, base64 string expected",
    ),
    ...["tvm.Cell", "tvm.Slice"].map((tag) =>
      refuses(`a broken ${tag}`, { ...run, stack: [[tag, "!"]] }, 422, "Wrong padding length"),
    ),
    refuses("a null", { ...run, stack: [["null", null]] }, 422, "Empty null"),
    ...wideRuns.map(([note, stack]) => gives(note, { address: nobody, method: 1, stack }, untouched(stack))),
    refuses("words as a number", { ...run, stack: [["num", "xyz"]] }, 422, "Invalid number: xyz"),
    refuses("a flag as a number", { ...run, stack: [["num", true]] }, 422, "Wrong type of number in stack entry"),
    refuses("an empty cell", { ...run, stack: [["tvm.Cell", ""]] }, 422, "Empty tvm.Cell"),
    refuses(
      "a number as a cell",
      { ...run, stack: [["tvm.Cell", 5]] },
      422,
      "Invalid tvm.Cell, base64 string expected",
    ),
    refuses("a bare cell", { ...run, stack: [["cell", {}]] }, 422, "Invalid cell, object with field bytes expected"),
    refuses("an empty slice", { ...run, stack: [["tvm.Slice", ""]] }, 422, "Empty tvm.Slice"),
    refuses(
      "a bare slice",
      { ...run, stack: [["slice", "x"]] },
      422,
      "Invalid slice, object with field bytes expected",
    ),
    refuses(
      "a tuple of nothing",
      { ...run, stack: [["tuple", 5]] },
      422,
      "Invalid tvm.Tuple, valid tvm_stackEntryTuple expected",
    ),
    refuses(
      "a list of nothing",
      { ...run, stack: [["list", 5]] },
      422,
      "Invalid tvm.List, valid tvm_stackEntryList expected",
    ),
    refuses("a builder", { ...run, stack: [["tvm.Builder", "x"]] }, 542, "Unsupported stack entry type: tvm.Builder"),
    ...badRuns,
  ],
  runGetMethodStd: [
    gives(
      "a method of a contract",
      { ...run, stack: [] },
      {
        "@type": "smc.runResult",
        gas_used: 1292,
        stack: [{ "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "0" } }],
        exit_code: 0,
      },
    ),
    refuses("an account without code", { address: nobody, method: "seqno", stack: [] }, 500, "Exit code -13 != 0"),
    refuses("no such method", { address: elector, method: "nothing", stack: [] }, 500, "Exit code 11 != 0"),
    refuses(
      "what cannot be given",
      { ...run, stack: [{ "@type": "tvm.stackEntryUnsupported" }] },
      542,
      "Unsupported stack entry type: tvm.stackEntryUnsupported",
    ),
    ...badRuns,
  ],
  sendBoc: [
    gives("a message for a contract", { boc: message }, { "@type": "ok" }),
    refuses("a message for nobody", { boc: strayMessage }, 500, noAccount),
    refuses("an answer to nobody", { boc: outMessage }, 500, "CommonMsgInfo tag is not ext_in_msg_info"),
    ...badBags,
    badMessage,
  ],
  sendBocReturnHash: [
    gives("a message for a contract", { boc: message }, sent),
    refuses("a message for nobody", { boc: strayMessage }, 500, noAccount),
    ...badBags,
    badMessage,
  ],
  sendBocReturnHashNoError: [
    gives("a message for a contract", { boc: message }, sent),
    refuses("a message for nobody", { boc: strayMessage }, 400, noAccount),
    refuses(
      "bytes that are no bag",
      { boc: "AAAA" },
      400,
      "INVALID_BAG_OF_CELLS: bodycannot deserialize bag-of-cells: not enough bytes (3 present, 10 required)",
    ),
    ...badBags,
    refuses("a cell that is no message", { boc: emptyBag }, 400, "Failed to unpack Message"),
  ],
  sendQuery: [
    gives("a message for a contract", { address: elector, body: emptyBag }, { "@type": "ok" }),
    refuses("a message for nobody", { address: nobody, body: emptyBag }, 500, noAccount),
    ...badAddresses,
  ],
  sendQuerySimple: [
    gives("a message for a contract", { address: elector, body: emptyTree }, { "@type": "ok" }),
    refuses("a body that is no tree", { address: nobody, body: 5 }, 422, "failed to parse body"),
    ...badAddresses,
  ],
  estimateFee: [
    gives("an account without code", { address: nobody, body: emptyBag }, fees),
    gives("a signature that counts", { address: nobody, body: emptyBag, ignore_chksig: false }, fees),
    refuses(
      "a number as a flag",
      { address: nobody, body: emptyBag, ignore_chksig: 1 },
      422,
      "failed to parse ignore_chksig",
    ),
    gives("data without code, which do not count", { address: nobody, body: emptyBag, init_data: emptyBag }, fees),
    gives("nothing in place of code", { address: nobody, body: emptyBag, init_code: "", init_data: "" }, fees),
    refuses(
      "code without data",
      { address: nobody, body: emptyBag, init_code: emptyBag },
      500,
      "INVALID_BAG_OF_CELLS: init_datacannot deserialize bag-of-cells: not enough bytes (0 present, 10 required)",
    ),
    refuses("no body", { address: nobody }, 422, "failed to parse body"),
    ...badAddresses,
  ],
  estimateFeeSimple: [
    gives("an account without code", { address: nobody, body: emptyTree }, fees),
    refuses("no body", { address: nobody }, 422, "failed to parse body"),
    ...badAddresses,
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
