import { sliceOf } from "../../cell/Slice.ts";
import type { CurrencyCollection } from "../../model/Currency.ts";
import { CurrencyCollection as CurrencyCodec } from "../../model/Currency.ts";
import { RelaxedMessage } from "../../model/Message.ts";
import { accountAddress, externalAddress, wideAddress } from "./addressFields.ts";
import { type BodyField, choice, type FieldValue, group, record } from "./declare.ts";
import { dictionary } from "./dictionaryField.ts";
import { ContractError } from "./errors.ts";
import {
  bits256,
  bool,
  cellRef,
  grams,
  maybe,
  maybeRef,
  ref,
  rest,
  uint,
  uint8,
  uint32,
  uint64,
  varUint,
} from "./fields.ts";

const currencyLayout = record("currencies", {
  grams,
  other: record("extra_currencies", { dict: dictionary(32, varUint(32)) }),
});

// currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
export const currency: BodyField<CurrencyCollection> = {
  load: (s) => CurrencyCodec.load(s),
  show: currencyLayout.show,
  abi: currencyLayout.abi,
};

// The public decoder still calls the field of extra_flags ihr_fee.
const infoLayout = choice({
  int_msg_info: [
    "$0",
    {
      ihrDisabled: bool,
      bounce: bool,
      bounced: bool,
      src: wideAddress,
      dest: accountAddress,
      value: currency,
      ihrFee: grams,
      fwdFee: grams,
      createdLt: uint64,
      createdAt: uint32,
    },
  ],
  ext_out_msg_info: ["$11", { src: wideAddress, dest: externalAddress, createdLt: uint64, createdAt: uint32 }],
});

// _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
//   library:(Maybe ^Cell) = StateInit;
export const stateInit = group({
  fixedPrefixLength: maybe(uint(5)),
  special: maybe(record("tick_tock", { tick: bool, tock: bool })),
  code: maybeRef,
  data: maybeRef,
  library: maybeRef,
});

/** Either Any ^Any */
const anyBody: BodyField<unknown> = {
  load: (s) => (s.loadBit() ? s.loadRef() : rest.load(s)),
  show: (s, showing) => {
    showing.spend(64);
    if (!s.loadBit()) return { "@type": "first_from_either", value: rest.show(s, showing) };
    return { "@type": "second_from_either", value: { cell_reference: showing.cell(s.loadRef()) } };
  },
  abi: { either: "slice" },
};

/** Either StateInit ^StateInit */
const placedInit: BodyField<unknown> = {
  load: (s) => stateInit.load(s.loadBit() ? sliceOf(s.loadRef()) : s),
  show: (s, showing) => {
    showing.spend(64);
    if (!s.loadBit()) return { "@type": "first_from_either", value: stateInit.show(s, showing) };
    const inner = sliceOf(s.loadRef());
    const value = { cell_reference: stateInit.show(inner, showing) };
    inner.end();
    return { "@type": "second_from_either", value };
  },
  abi: { either: stateInit.abi },
};

const messageLayout = record("message", { info: infoLayout, init: maybe(placedInit), body: anyBody });

// message$_ {X:Type} info:CommonMsgInfoRelaxed init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X)
//   = MessageRelaxed X;
export const relaxedMessage: BodyField<RelaxedMessage> = {
  load: (s) => RelaxedMessage.load(s),
  show: messageLayout.show,
  abi: messageLayout.abi,
};

// action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
// action_set_code#ad4de08e new_code:^Cell = OutAction;
// action_reserve_currency#36e6b809 mode:(## 8) currency:CurrencyCollection = OutAction;
// libref_hash$0 lib_hash:bits256 = LibRef; libref_ref$1 library:^Cell = LibRef;
// action_change_library#26fa1dd4 mode:(## 7) libref:LibRef = OutAction;
export const outAction = choice({
  action_send_msg: ["#0ec3c86d", { mode: uint8, outMsg: ref(relaxedMessage) }],
  action_set_code: ["#ad4de08e", { newCode: cellRef }],
  action_reserve_currency: ["#36e6b809", { mode: uint8, currency }],
  action_change_library: [
    "#26fa1dd4",
    {
      mode: uint(7),
      libref: choice({ libref_hash: ["$0", { libHash: bits256 }], libref_ref: ["$1", { library: cellRef }] }),
    },
  ],
});
export type OutActionValue = FieldValue<typeof outAction>;

/** The largest number of actions of a transaction; wallets have the same limit. */
const maxActions = 255;

/** In code the actions are in execution order. */
// out_list_empty$_ = OutList 0; out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
export const outList: BodyField<readonly OutActionValue[]> = {
  load: (s) => {
    const actions: OutActionValue[] = [];
    for (let at = s; !at.isEmpty; ) {
      if (actions.length >= maxActions)
        throw new ContractError("contracts/too-large", `more than ${maxActions} actions`);
      const prev = at.loadRef();
      actions.push(outAction.load(at));
      at = sliceOf(prev);
    }
    return actions.reverse();
  },
  show: (s, showing) => (s.isEmpty ? { "@type": "out_list_empty" } : outListNode.show(s, showing)),
  abi: "slice",
};

const outListNode: BodyField<unknown> = record("out_list", { prev: ref(outList), action: outAction });
