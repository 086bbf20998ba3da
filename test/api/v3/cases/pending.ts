import { knownWallet, sameDigits } from "../../../kit/api/v3/v3Stage.ts";
import { gives, refuses, type V3Case } from "./V3Case.ts";

const nothing = { address_book: {}, metadata: {} };

function whichCases(key: "traces" | "actions"): readonly V3Case[] {
  return [
    gives("an account without any", { account: knownWallet }, { [key]: [], ...nothing }),
    gives("messages that nobody sent", { ext_msg_hash: [sameDigits("1"), sameDigits("2")] }, { [key]: [], ...nothing }),
    gives("known types", { account: knownWallet, supported_action_types: ["v1", "nft"] }, { [key]: [], ...nothing }),
    refuses("nothing", {}, 422, "account or ext_msg_hash should be specified"),
    refuses("an invalid address", { account: "me" }, 422, 'schema: error converting value for "account"'),
    refuses(
      "an invalid hash",
      { ext_msg_hash: [sameDigits("1"), "x"] },
      422,
      'schema: error converting value for index 1 of "ext_msg_hash"',
    ),
  ];
}

/** Cases of requests about pending messages when there are none; another test sends some. */
export const pendingCases = {
  pendingTraces: whichCases("traces"),
  pendingActions: [
    ...whichCases("actions"),
    gives(
      "an account without any, transactions and all",
      { account: knownWallet, include_transactions: "true" },
      { actions: [], ...nothing },
    ),
    refuses(
      "a flag that is none",
      { account: knownWallet, include_transactions: "maybe" },
      422,
      'schema: error converting value for "include_transactions"',
    ),
  ],
  pendingTransactions: [
    refuses("accounts without any", { account: [knownWallet] }, 404, "emulated traces not found"),
    refuses("nothing", {}, 422, "at least 1 account address required"),
    refuses("a trace alone", { trace_id: sameDigits("1") }, 422, "at least 1 account address required"),
    refuses(
      "an invalid address",
      { account: [knownWallet, "me"] },
      422,
      'schema: error converting value for index 1 of "account"',
    ),
  ],
} satisfies Readonly<Record<string, readonly V3Case[]>>;
