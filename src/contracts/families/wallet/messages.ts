import type { Slice } from "../../../cell/Slice.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { RelaxedMessage } from "../../../model/Message.ts";
import { accountAddress } from "../../kit/addressFields.ts";
import {
  type Body,
  type BodyField,
  bareOpcode,
  body,
  choice,
  type FieldValue,
  group,
  openBody,
  record,
} from "../../kit/declare.ts";
import { dictionary, filledDictionary } from "../../kit/dictionaryField.ts";
import { ContractError } from "../../kit/errors.ts";
import {
  bits256,
  bits512,
  bool,
  cellRef,
  coins,
  int,
  maybe,
  maybeRefTo,
  queryId,
  ref,
  uint,
  uint8,
  uint16,
  uint32,
  uint64,
} from "../../kit/fields.ts";
import { outList, relaxedMessage, stateInit } from "../../kit/messageFields.ts";
import { queryBody } from "../../kit/queryBody.ts";

/** A message for a wallet to send. */
export interface WalletMessage {
  readonly mode: number;
  readonly msg: RelaxedMessage;
}

// _ mode:uint8 msg:^(MessageRelaxed Any)
const walletMessage: BodyField<WalletMessage> = group({ mode: uint8, msg: ref(relaxedMessage) });

/** One to four messages, or none: one per reference of the cell. */
const walletMessages: BodyField<readonly WalletMessage[]> = {
  load: (s) => Array.from({ length: countMessages(s) }, () => walletMessage.load(s)),
  show: (s, showing) => {
    const count = countMessages(s);
    const shown = Array.from({ length: count }, (_, i) => [`msg_${i + 1}`, walletMessage.show(s, showing)] as const);
    return { "@type": `msgs_${count}`, ...Object.fromEntries(shown) };
  },
  abi: { many: walletMessage.abi },
};

function countMessages(slice: Slice): number {
  const count = slice.remainingRefs;
  if (slice.remainingBits !== count * 8)
    throw new ContractError("contracts/tag", `${slice.remainingBits} bits for the modes of ${count} messages`);
  return count;
}

const plugin = { pluginWorkchain: int(8), pluginAddress: bits256, amount: coins, queryId };
const v4Operation = choice({
  simple_send: ["#00", { msgs: walletMessages }],
  deploy_install_plugin: [
    "#01",
    { pluginWorkchain: int(8), pluginBalance: coins, stateInit: ref(stateInit), body: cellRef },
  ],
  install_plugin: ["#02", plugin],
  remove_plugin: ["#03", plugin],
});

export const preprocessedWalletSignedV2 = openBody(
  "preprocessed_wallet_signed_v2",
  {
    signature: bits512,
    msg: ref(record("msg_inner", { validUntil: uint64, seqno: uint16, actions: ref(outList) })),
  },
  (bits, refs) => bits === 512 && refs === 1,
);

export const highloadWalletSignedV3 = openBody(
  "highload_wallet_signed_v3",
  {
    signature: bits512,
    msg: ref(
      record("msg_inner", {
        subwalletId: uint32,
        messageToSend: ref(relaxedMessage),
        sendMode: uint8,
        queryId: record("query_id", { shift: uint(13), bitNumber: uint(10) }),
        createdAt: uint64,
        timeout: uint(22),
      }),
    ),
  },
  (bits, refs) => bits === 512 && refs === 1,
);

export const highloadWalletSignedV2 = openBody(
  "highload_wallet_signed_v2",
  { signature: bits512, subwalletId: uint32, queryId: uint64, payload: dictionary(16, walletMessage) },
  (bits, refs) => bits === 609 && refs <= 1,
);

export const highloadWalletSignedV1 = openBody(
  "highload_wallet_signed_v1",
  {
    signature: bits512,
    subwalletId: uint32,
    validUntil: uint32,
    msgSeqno: uint32,
    payload: ref(filledDictionary(16, walletMessage)),
  },
  (bits, refs) => bits === 608 && refs === 1,
);

export const walletSignedV4 = openBody(
  "wallet_signed_v4",
  { signature: bits512, subwalletId: uint32, validUntil: uint32, msgSeqno: uint32, op: v4Operation },
  (bits, refs) => bits === 616 + 8 * refs || (refs === 2 && bits >= 628) || (refs === 0 && bits >= 948),
);

export const walletSignedV3 = openBody(
  "wallet_signed_v3",
  { signature: bits512, subwalletId: uint32, validUntil: uint32, msgSeqno: uint32, msgs: walletMessages },
  (bits, refs) => bits === 608 + 8 * refs,
);

export const walletSignedV1V2 = openBody(
  "wallet_signed_v1_v2",
  { signature: bits512, msgSeqno: uint32, validUntil: uint32, msgs: walletMessages },
  (bits, refs) => bits === 576 + 8 * refs,
);

const extendedAction = choice({
  add_extension: ["#02", { addr: accountAddress }],
  delete_extension: ["#03", { addr: accountAddress }],
  set_signature_auth_allowed: ["#04", { allowed: bool }],
});
export type W5ExtendedAction = FieldValue<typeof extendedAction>;

const maxExtendedActions = 255;

/** The first action is in place, the next one in a reference, and so on. */
const extendedActions: BodyField<readonly W5ExtendedAction[]> = {
  load: (s) => {
    const actions = [extendedAction.load(s)];
    for (let at = s; at.remainingRefs > 0; ) {
      at = sliceOf(at.loadRef());
      if (actions.length >= maxExtendedActions)
        throw new ContractError("contracts/too-large", `more than ${maxExtendedActions} actions`);
      actions.push(extendedAction.load(at));
    }
    return actions;
  },
  show: (s, showing) => (s.remainingRefs > 0 ? extendedListAction.show(s, showing) : extendedListLast.show(s, showing)),
  abi: {
    struct: [
      { name: "action", type: extendedAction.abi },
      { name: "next", type: "cell?" },
    ],
  },
};
const extendedListLast: BodyField<unknown> = record("extended_list_last", { action: extendedAction });
const extendedListAction: BodyField<unknown> = record("extended_list_action", {
  action: extendedAction,
  prev: ref(extendedActions),
});

// w5_actions_request$_ out_actions:(Maybe ^(OutList m)) extended_actions:(Maybe (W5ExtendedActionList n))
const w5Actions = record("w5_actions_request", {
  outActions: maybeRefTo(outList),
  extendedActions: maybe(extendedActions),
});
const w5SignedRequest = record("w5_signed_request", {
  walletId: uint32,
  validUntil: uint32,
  msgSeqno: uint32,
  inner: w5Actions,
  signature: bits512,
});
export const w5ExternalSignedRequest = body("w5_external_signed_request", 0x7369676e, { request: w5SignedRequest });
export const w5InternalSignedRequest = body("w5_internal_signed_request", 0x73696e74, { request: w5SignedRequest });
export const w5ExtensionActionRequest = queryBody("w5_extension_action_request", 0x6578746e, { request: w5Actions });

export const highloadV3InternalRequest = queryBody("highload_v3_internal_request", 0xae42e5a4, {
  actions: ref(outList),
});

export const walletPluginInstallationNotification = bareOpcode("wallet_plugin_installation_notification", 0x6e6f7465);
export const walletPluginDestruct = queryBody("wallet_plugin_destruct", 0x64737472);
export const walletPluginDestructResponse = queryBody("wallet_plugin_destruct_response", 0xe4737472);

/** The name of an opcode that wallets share with two other protocols. */
const sharedOpcode1 = bareOpcode("evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin", 0x00000001);

/** In the order they are tried. */
export const walletBodies: readonly Body<unknown>[] = [
  sharedOpcode1,
  w5ExternalSignedRequest,
  w5InternalSignedRequest,
  w5ExtensionActionRequest,
  highloadV3InternalRequest,
  walletPluginInstallationNotification,
  walletPluginDestruct,
  walletPluginDestructResponse,
];
