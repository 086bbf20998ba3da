import { expect } from "vitest";
import { b64, knownWallet, sameDigits, type V3Stage } from "../../../kit/api/v3/v3Stage.ts";
import { suspended } from "../../../kit/history/validatorRows.ts";
import { elector } from "./chainLists.ts";
import { gives, refuses, type V3Case } from "./V3Case.ts";

const nobody = `0:${"e".repeat(64)}`;
const emptyCell = "te6cckEBAQEAAgAAAEysuc0=";
const zero = b64(sameDigits("0"));

function stateOf({ rows }: V3Stage, account: string) {
  const latestAccountState = rows.latestAccountStates.find((row) => row.account === account);
  if (latestAccountState === undefined) throw new Error(`the index knows ${account}`);
  return latestAccountState;
}

function lastOf(stage: V3Stage, account: string) {
  const { balance, lastTransLt, lastTransHash } = stateOf(stage, account);
  return {
    balance: String(balance),
    last_transaction_lt: String(lastTransLt),
    last_transaction_hash: lastTransHash && b64(lastTransHash),
  };
}

const accountRefusals: readonly V3Case[] = [
  refuses("nothing", {}, 401, "address of account is required"),
  refuses("nothing of v2", { use_v2: "true" }, 401, "address of account is required"),
  refuses("an invalid address", { address: "me" }, 422, 'schema: error converting value for "address"'),
  refuses(
    "a flag that is none",
    { address: knownWallet, use_v2: "2" },
    422,
    'schema: error converting value for "use_v2"',
  ),
];

const addressCases: readonly V3Case[] = [
  gives("an account of the index", { address: knownWallet }, (stage: V3Stage) => ({
    ...lastOf(stage, knownWallet),
    code: expect.stringMatching(/^te6c/),
    data: Buffer.from(stateOf(stage, knownWallet).dataBoc ?? []).toString("base64"),
    frozen_hash: null,
    status: "active",
    suspended: false,
  })),
  gives("the same by the chain as it is now", { address: knownWallet, use_v2: "true" }, (stage: V3Stage) => ({
    ...lastOf(stage, knownWallet),
    code: expect.stringMatching(/^te6c/),
    data: expect.stringMatching(/^te6c/),
    frozen_hash: null,
    status: "active",
    suspended: false,
  })),
  gives(
    "an account that nobody knows",
    { address: nobody },
    {
      balance: "0",
      code: null,
      data: null,
      last_transaction_lt: "0",
      last_transaction_hash: zero,
      frozen_hash: null,
      status: "uninit",
      suspended: false,
    },
  ),
  gives(
    "an account that is not there, in the words of v2",
    { address: nobody, use_v2: "1" },
    {
      balance: "0",
      code: null,
      data: null,
      last_transaction_lt: "0",
      last_transaction_hash: zero,
      frozen_hash: null,
      status: "uninitialized",
      suspended: false,
    },
  ),
  ...accountRefusals,
];

const walletFields = {
  wallet_type: "wallet v4 r2",
  seqno: 1,
  wallet_id: 698983191,
  status: "active",
  suspended: false,
};

const walletCases: readonly V3Case[] = [
  gives("a wallet of the index", { address: knownWallet }, (stage: V3Stage) => ({
    ...lastOf(stage, knownWallet),
    ...walletFields,
  })),
  gives("the same by the chain as it is now", { address: knownWallet, use_v2: "true" }, (stage: V3Stage) => ({
    ...lastOf(stage, knownWallet),
    ...walletFields,
  })),
  ...[suspended.before, suspended.now].map((address, at) =>
    gives(
      "an account that nobody knows, by the newest list of suspended accounts",
      { address },
      {
        ...{ balance: "0", last_transaction_lt: "0", last_transaction_hash: zero, status: "uninit" },
        suspended: at === 1,
      },
    ),
  ),
  gives(
    "an account that nobody knows",
    { address: nobody },
    { balance: "0", last_transaction_lt: "0", last_transaction_hash: zero, status: "uninit", suspended: false },
  ),
  gives(
    "an account that is not there, in the words of v2",
    { address: nobody, use_v2: "1" },
    { balance: "0", last_transaction_lt: "0", last_transaction_hash: zero, status: "uninitialized", suspended: false },
  ),
  refuses("what is no wallet", { address: elector }, 409, "not a wallet"),
  refuses("what is no wallet by the chain as it is now", { address: elector, use_v2: "1" }, 409, "not a wallet"),
  ...accountRefusals,
];

const badBag = "cannot deserialize bag-of-cells: not enough bytes (3 present, 10 required)";

/** Cases of requests in the style of v2. */
export const legacyCases = {
  addressInformation: addressCases,
  account: addressCases,
  walletInformation: walletCases,
  wallet: walletCases,
  message: [
    refuses("nothing", {}, 401, "boc is required"),
    refuses("nothing in it", { boc: "" }, 401, "boc is required"),
    refuses("what is no bag", { boc: "AAAA" }, 500, `INVALID_BAG_OF_CELLS: body${badBag}`),
    refuses("an invalid message", { boc: emptyCell }, 500, "Failed to unpack Message"),
  ],
  runGetMethod: [
    gives(
      "a number",
      { address: knownWallet, method: "seqno", stack: [] },
      { gas_used: 769, exit_code: 0, stack: [{ type: "num", value: "0x1" }] },
    ),
    gives(
      "an empty list",
      { address: elector, method: "participant_list" },
      { gas_used: expect.any(Number), exit_code: 0, stack: [{ type: "list", value: [] }] },
    ),
    gives(
      "a method that takes something",
      { address: elector, method: "compute_returned_stake", stack: [{ type: "num", value: "-0x5" }] },
      { gas_used: expect.any(Number), exit_code: 0, stack: [{ type: "num", value: "0x0" }] },
    ),
    gives(
      "a method that there is not, and what it was given",
      {
        address: nobody,
        method: "7",
        stack: [
          { type: "num", value: "12" },
          { type: "cell", value: emptyCell },
          { type: "slice", value: emptyCell },
        ],
      },
      {
        gas_used: 0,
        exit_code: -13,
        stack: [
          { type: "num", value: "0xc" },
          { type: "cell", value: emptyCell },
          { type: "slice", value: emptyCell },
          { type: "num", value: "0x7" },
        ],
      },
    ),
    gives(
      "a result by names",
      { address: knownWallet, method: "seqno", typed: true },
      {
        gas_used: 769,
        exit_code: 0,
        stack: [{ type: "num", value: "0x1" }],
        decoded: { abi: "wallet_v4r2", fields: { seqno: 1 } },
      },
    ),
    gives(
      "arguments by names",
      { address: knownWallet, method: "is_plugin_installed", args: { workchain: 0, account: "5" } },
      {
        gas_used: expect.any(Number),
        exit_code: 0,
        stack: [{ type: "num", value: "0x0" }],
        decoded: { abi: "wallet_v4r2", fields: { installed: false } },
      },
    ),
    gives(
      "names of an ABI that is given",
      {
        address: knownWallet,
        method: "seqno",
        typed: true,
        abi: { name: "own", methods: [{ name: "seqno", result: [{ name: "count", type: "uint8" }] }] },
      },
      {
        gas_used: 769,
        exit_code: 0,
        stack: [{ type: "num", value: "0x1" }],
        decoded: { abi: "own", fields: { count: 1 } },
      },
    ),
    gives(
      "the account of an earlier block, which had no code yet",
      { address: knownWallet, method: "seqno", seqno: 3 },
      { gas_used: 0, exit_code: -13, stack: [{ type: "num", value: "0x14c97" }] },
    ),
    refuses(
      "an argument that the method lacks",
      { address: knownWallet, method: "seqno", args: { no: 1 } },
      422,
      "args.no: there is no such field",
    ),
    refuses(
      "names of a method without an ABI",
      { address: knownWallet, method: "none", args: {} },
      422,
      "no ABI of the account has a get-method none",
    ),
    refuses("no account", { method: "seqno" }, 401, "address is required"),
    refuses("no method", { address: elector }, 401, "method is required"),
    refuses("what is no account", { address: "me", method: "seqno" }, 500, "failed to parse address"),
    refuses(
      "a type that is none",
      { address: elector, method: "x", stack: [{ type: "dict", value: "1" }] },
      500,
      "unsupported stack parameter type: dict",
    ),
    refuses(
      "a cell that is none",
      { address: elector, method: "x", stack: [{ type: "cell", value: "AAAA" }] },
      500,
      badBag,
    ),
    refuses(
      "a stack that is none",
      { address: elector, method: "x", stack: "1" },
      422,
      'schema: error converting value for "stack"',
    ),
    refuses(
      "an entry that is none",
      { address: elector, method: "x", stack: ["1"] },
      422,
      'schema: error converting value for index 0 of "stack"',
    ),
  ],
  estimateFee: [
    gives(
      "a message that its account would not take",
      { address: knownWallet, body: emptyCell, init_code: "", init_data: "", ignore_chksig: "true" },
      {
        source_fees: { in_fwd_fee: 100, storage_fee: expect.any(Number), gas_fee: 0, fwd_fee: 0 },
        destination_fees: [],
      },
    ),
    refuses("what is no account", { address: "me", body: emptyCell }, 422, "failed to parse address"),
    refuses("no body", { address: knownWallet }, 422, "failed to parse body"),
    refuses("what is no body", { address: knownWallet, body: "AAAA" }, 500, `INVALID_BAG_OF_CELLS: body${badBag}`),
    refuses(
      "what is no code",
      { address: knownWallet, body: emptyCell, init_code: "AAAA", init_data: emptyCell },
      500,
      `INVALID_BAG_OF_CELLS: init_code${badBag}`,
    ),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
