import { expect } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { writeBoc } from "../../../../src/cell/boc.ts";
import { b64, knownWallet, raw, type V3Stage } from "../../../kit/api/v3/v3Stage.ts";
import { gives, refuses, type V3Case } from "./V3Case.ts";

const nobody = `0:${"e".repeat(64)}`;
const excesses = writeBoc(beginCell().storeBytes(Buffer.from("d53276db0000000000000005", "hex")).cell());
const body = Buffer.from(excesses).toString("base64");
const unknownBody = Buffer.from(writeBoc(beginCell().storeUint(1, 8).cell())).toString("base64");

const destruct = { message: "wallet_plugin_destruct", fields: { query_id: 5 } };
const destructCell = beginCell().storeBytes(Buffer.from("647374720000000000000005", "hex")).cell();
const destructBody = Buffer.from(writeBoc(destructCell)).toString("base64");

const abi = {
  name: "counter",
  methods: [{ name: "count", args: [], result: [{ name: "count", type: "int" }] }],
  receives: [{ name: "excesses", tag: "#d53276db", fields: [{ name: "query", type: "uint64" }] }],
  storage: [{ fields: [{ name: "flags", type: "uint8" }] }],
};

function walletOf({ rows }: V3Stage) {
  const latestAccountState = rows.latestAccountStates.find(({ account }) => account === knownWallet);
  if (latestAccountState === undefined) throw new Error("the recorded chain has a wallet");
  return latestAccountState;
}

const subjectRefusals: readonly V3Case[] = [
  refuses("nothing", { message: "a" }, 422, "address, code_hash or abi is required"),
  refuses("an unknown account", { address: nobody }, 404, "account not found"),
  refuses("an ABI of another form", { abi: { name: 1 } }, 422, "name: text is needed"),
  refuses("an ABI that is none", { abi: "[" }, 422, 'schema: error converting value for "abi"'),
];

/** Cases of what is answered by ABIs. */
export const abiCases = {
  contract: [
    gives("a wallet", { address: knownWallet }, (stage: V3Stage) => {
      const row = walletOf(stage);
      return {
        address: raw(knownWallet),
        status: "active",
        code_hash: row.codeHash && b64(row.codeHash),
        data_hash: row.dataHash && b64(row.dataHash),
        interfaces: ["wallet_v4r2"],
        methods: expect.arrayContaining([
          {
            id: 85143,
            name: "seqno",
            abi: "wallet_v4r2",
            args: [],
            result: [{ name: "seqno", type: "uint32" }],
          },
        ]),
        storage: {
          abi: "wallet_v4r2",
          fields: { seqno: 1, wallet_id: 698983191, public_key: expect.stringMatching(/^[0-9]+$/), plugins: [] },
        },
        abis: [expect.objectContaining({ name: "wallet_v4r2" })],
        same_code: null,
        source: null,
        source_check: null,
      };
    }),
    gives(
      "no source to compile",
      { address: knownWallet, check_source: true },
      expect.objectContaining({ source: null, source_check: null }),
    ),
    gives("who else has the code", { address: knownWallet, include_same_code: true }, (stage: V3Stage) =>
      expect.objectContaining({ same_code: { accounts: holdersOf(stage), next: null } }),
    ),
    gives(
      "those that follow one of them",
      (stage: V3Stage) => ({
        address: knownWallet,
        include_same_code: true,
        same_code_after: holdersOf(stage)[0] ?? knownWallet,
      }),
      (stage: V3Stage) => expect.objectContaining({ same_code: { accounts: holdersOf(stage).slice(1), next: null } }),
    ),
    refuses("nothing", {}, 401, "address of account is required"),
    refuses("an unknown account", { address: nobody }, 404, "account not found"),
  ],
  decodeContract: [
    gives(
      "by an ABI",
      {
        abi,
        bodies: [body, unknownBody],
        storage: [unknownBody, body],
        method: "count",
        stack: [{ type: "num", value: "12" }],
      },
      {
        bodies: [{ abi: "counter", name: "excesses", fields: { query: "5" } }, null],
        storage: [{ abi: "counter", fields: { flags: 1 } }, null],
        result: { abi: "counter", fields: { count: "12" } },
      },
    ),
    gives("by an account", (stage: V3Stage) => ({ address: knownWallet, storage: [dataOf(stage)] }), {
      bodies: [],
      storage: [expect.objectContaining({ abi: "wallet_v4r2" })],
      result: null,
    }),
    gives("by a code", (stage: V3Stage) => ({ code_hash: codeOf(stage), storage: [dataOf(stage)] }), {
      bodies: [],
      storage: [expect.objectContaining({ abi: "wallet_v4r2" })],
      result: null,
    }),
    refuses("a method that the ABI lacks", { abi, method: "none" }, 422, "no ABI of the account has a get-method none"),
    refuses(
      "too many bodies",
      { abi, bodies: Array.from({ length: 101 }, () => body) },
      422,
      "bodies list exceeds maximum length of 100",
    ),
    ...subjectRefusals,
  ],
  encodeContract: [
    gives("by an ABI", { abi, message: "excesses", fields: { query: "5" } }, { body }),
    gives("by an account", { address: knownWallet, ...destruct }, { body: destructBody }),
    gives("by a code", (stage: V3Stage) => ({ code_hash: codeOf(stage), ...destruct }), { body: destructBody }),
    refuses("no message", { abi }, 422, "message is required"),
    refuses(
      "a message that the ABI lacks",
      { abi, message: "none" },
      422,
      "no ABI of the contract has a message none that it accepts",
    ),
    refuses(
      "a value that does not fit",
      { abi, message: "excesses", fields: { query: "x" } },
      422,
      "excesses.query: an integer is needed: a number, or decimal or 0x text",
    ),
    ...subjectRefusals,
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;

/** Other accounts with the code of the wallet, in the order of their addresses. */
function holdersOf(stage: V3Stage): readonly string[] {
  const { codeHash } = walletOf(stage);
  const others = stage.rows.latestAccountStates.filter((each) => each.codeHash === codeHash);
  return others.flatMap(({ account }) => (account === knownWallet ? [] : raw(account))).toSorted();
}

function dataOf(stage: V3Stage): string {
  return Buffer.from(walletOf(stage).dataBoc ?? []).toString("base64");
}

function codeOf(stage: V3Stage): string {
  const { codeHash } = walletOf(stage);
  if (codeHash === undefined) throw new Error("a wallet has code");
  return b64(codeHash);
}
