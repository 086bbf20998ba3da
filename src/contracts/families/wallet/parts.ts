import type { AbiType } from "../../abi/Abi.ts";
import { describedData } from "../../kit/dataLayout.ts";
import { describedMethod, getMethod } from "../../kit/getMethod.ts";
import { cell, num, orNull, stack, stackAddress, stackInt } from "../../kit/stack.ts";

/* Get-methods, data and exit codes that wallets of several versions have. */

export const seqno = describedMethod("seqno", { seqno: "uint32" });
export const getPublicKey = describedMethod("get_public_key", { publicKey: "uint256" });
export const getSubwalletId = describedMethod("get_subwallet_id", { subwalletId: "int64" });
const plugins: AbiType = {
  list: {
    tuple: [
      { name: "workchain", type: "int8" },
      { name: "account", type: "uint256" },
    ],
  },
};
export const getPluginList = describedMethod("get_plugin_list", { plugins });
export const isPluginInstalled = describedMethod(
  "is_plugin_installed",
  { installed: "bool" },
  { workchain: "int8", account: "uint256" },
);
/** Extensions by the account in the workchain of the wallet. */
const extensions: AbiType = { dict: { key: "bits256", value: "slice" } };
export const getExtensions = describedMethod("get_extensions", { extensions });
export const isSignatureAllowed = describedMethod("is_signature_allowed", { allowed: "bool" });
export const getTimeout = describedMethod("get_timeout", { timeout: "uint22" });

/** Keys are a workchain in 8 bits and an account. */
const whitelist: AbiType = { dict: { key: "bits264", value: "slice" } };
export const getVestingData = getMethod(
  "get_vesting_data",
  stack({
    startAt: num,
    totalDuration: num,
    unlockPeriod: num,
    cliffDuration: num,
    totalAmount: stackInt,
    sender: stackAddress,
    owner: stackAddress,
    whitelist: { ...orNull(cell), abi: whitelist },
  }),
);
export const getLockedAmount = describedMethod("get_locked_amount", { locked: "coins" }, { time: "uint64" });
export const isWhitelisted = describedMethod("is_whitelisted", { whitelisted: "bool" }, { address: "address" });
export const getWhitelist = describedMethod("get_whitelist", {
  accounts: {
    list: {
      tuple: [
        { name: "workchain", type: "int8" },
        { name: "account", type: "uint256" },
      ],
    },
  },
});

const owned: Readonly<Record<string, AbiType>> = { seqno: "uint32", walletId: "uint32", publicKey: "uint256" };

// seqno:uint32 public_key:uint256
export const plainData = describedData({ seqno: "uint32", publicKey: "uint256" });
// seqno:uint32 wallet_id:uint32 public_key:uint256
export const dataWithId = describedData(owned);
// seqno:uint32 wallet_id:uint32 public_key:uint256 plugins:(HashmapE 264 Any)
export const dataWithPlugins = describedData({ ...owned, plugins: { dict: { key: "bits264", value: "slice" } } });
// is_signature_allowed:Bool seqno:uint32 wallet_id:uint32 public_key:uint256 extensions:(HashmapE 256 Any)
export const dataWithExtensions = describedData({ isSignatureAllowed: "bool", ...owned, extensions });
// is_signature_allowed:Bool seqno:uint32 network_id:int32 workchain:int8 version:uint8 subwallet:uint32
//   public_key:uint256 extensions:(HashmapE 256 Any)
export const betaData = describedData({
  isSignatureAllowed: "bool",
  seqno: "uint32",
  networkId: "int32",
  workchain: "int8",
  version: "uint8",
  subwallet: "uint32",
  publicKey: "uint256",
  extensions,
});
// revision:uint8 seqno:uint32 subwallet_id:uint32 …
export const dataAfterRevision = describedData({
  revision: "uint8",
  seqno: "uint32",
  subwalletId: "uint32",
  rest: "slice",
});
// subwallet_id:uint32 last_cleaned:uint64 public_key:uint256 old_queries:(HashmapE 64 Any)
export const highloadV2Data = describedData({
  subwalletId: "uint32",
  lastCleaned: "uint64",
  publicKey: "uint256",
  oldQueries: { dict: { key: "uint64", value: "slice" } },
});
// public_key:uint256 subwallet_id:uint32 old_queries:(HashmapE 13 Any) queries:(HashmapE 13 Any)
//   last_clean_time:uint64 timeout:uint22
const queries: AbiType = { dict: { key: "uint13", value: "slice" } };
export const highloadV3Data = describedData({
  publicKey: "uint256",
  subwalletId: "uint32",
  oldQueries: queries,
  queries,
  lastCleanTime: "uint64",
  timeout: "uint22",
});
// seqno:uint32 wallet_id:uint32 public_key:bits256 whitelist:(HashmapE 264 True) ^[ start_time:uint64
//   total_duration:uint32 unlock_period:uint32 cliff_duration:uint32 total_amount:Coins sender:MsgAddress
//   owner:MsgAddress ]
export const vestingData = describedData({
  ...owned,
  whitelist,
  terms: {
    ref: {
      struct: [
        { name: "start_at", type: "uint64" },
        { name: "total_duration", type: "uint32" },
        { name: "unlock_period", type: "uint32" },
        { name: "cliff_duration", type: "uint32" },
        { name: "total_amount", type: "coins" },
        { name: "sender", type: "address" },
        { name: "owner", type: "address" },
      ],
    },
  },
});
// public_key:uint256 seqno:uint16
export const preprocessedData = describedData({ publicKey: "uint256", seqno: "uint16" });

export const earlyErrors = {
  33: "another seqno is expected",
  34: "the signature is wrong",
  35: "the message is too late",
};
export const signedErrors = {
  33: "another seqno is expected",
  34: "the wallet has another id",
  35: "the signature is wrong, or the message is too late",
  36: "the message is too late",
};
export const v5Errors = {
  132: "signatures are not allowed",
  133: "another seqno is expected",
  134: "the wallet has another id",
  135: "the signature is wrong",
  136: "the message is too late",
  137: "actions of external messages must ignore errors",
  138: "the operation is unknown",
  139: "the extension cannot be added",
  140: "the extension cannot be removed",
  141: "the action is not supported",
  142: "signatures cannot be disabled without extensions",
  143: "signatures are already allowed or disabled",
  144: "the last extension cannot be removed while signatures are disabled",
  145: "the extension is in another workchain",
  146: "only extensions can allow or disable signatures",
  147: "the list of actions is invalid",
};
export const highloadV2Errors = {
  32: "the query was already processed",
  34: "the wallet has another id",
  35: "the signature is wrong, or the query is too late",
};
export const highloadV3Errors = {
  33: "the signature is wrong",
  34: "the wallet has another id",
  35: "the message was created too early or too late",
  36: "the query was already processed",
  37: "the message to send is invalid",
  38: "another timeout is expected",
};
