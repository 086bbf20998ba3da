import fc from "fast-check";
import { cellOf } from "../../../kit/cell/anyCell.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell, varUint } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { hashKey, uintKey } from "../../../src/cell/keys.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import type { CurrencyCollection } from "../../../src/model/Currency.ts";
import {
  type InCell,
  Message,
  type MessageInfo,
  type MessageOf,
  type RelaxedMessage,
  type RelaxedMessageInfo,
} from "../../../src/model/Message.ts";
import type { MessageEnvelope } from "../../../src/model/MessageEnvelope.ts";
import { SimpleLibrary, type StateInit } from "../../../src/model/StateInit.ts";
import { anyExternalAddress, anyIntermediate, anyShortAddress } from "./addressValues.ts";
import { anyBig, anyCell, anyCoins, anyHash, anyUint32, anyUint64, orAbsent } from "./modelValues.ts";
import { anyDictionary } from "./validatorValues.ts";

export const anyExtra = anyDictionary(uintKey(32), varUint(32), anyUint32, anyBig(248));

export const anyCurrency: fc.Arbitrary<CurrencyCollection> = fc.record({ coins: anyCoins, extra: anyExtra });

const emptyLibraries = makeDictionary(hashKey, SimpleLibrary, []);
const anyLibraries = anyDictionary(hashKey, SimpleLibrary, anyHash, fc.record({ public: fc.boolean(), root: anyCell }));

export const anyStateInit: fc.Arbitrary<StateInit> = fc.record({
  fixedPrefixLength: orAbsent(fc.nat({ max: 31 })),
  special: orAbsent(fc.record({ tick: fc.boolean(), tock: fc.boolean() })),
  code: orAbsent(anyCell),
  data: orAbsent(anyCell),
  libraries: anyLibraries,
});

const created = { createdLt: anyUint64, createdAt: anyUint32 };
const internalFields = {
  kind: fc.constant<"internal">("internal"),
  ihrDisabled: fc.boolean(),
  bounce: fc.boolean(),
  bounced: fc.boolean(),
  dest: anyShortAddress,
  value: fc.record({ coins: anyBig(64), extra: anyExtra }),
  extraFlags: anyBig(8),
  fwdFee: anyBig(64),
  ...created,
};

export const anyMessageInfo: fc.Arbitrary<MessageInfo> = fc.oneof(
  fc.record({ ...internalFields, src: anyShortAddress }),
  fc.record({
    kind: fc.constant<"externalIn">("externalIn"),
    src: anyExternalAddress,
    dest: anyShortAddress,
    importFee: anyBig(64),
  }),
  fc.record({
    kind: fc.constant<"externalOut">("externalOut"),
    src: anyShortAddress,
    dest: anyExternalAddress,
    ...created,
  }),
);

const anyRelaxedInfo: fc.Arbitrary<RelaxedMessageInfo> = fc.oneof(
  fc.record({ ...internalFields, src: fc.oneof(anyShortAddress, fc.constant(undefined)) }),
  fc.record({
    kind: fc.constant<"externalOut">("externalOut"),
    src: fc.oneof(anyShortAddress, fc.constant(undefined)),
    dest: anyExternalAddress,
    ...created,
  }),
);

/** Short enough to fit after any header. */
const anyShortBody: fc.Arbitrary<Cell> = anyBig(32).map((value) => cellOf(value.toString(2)));
const anyInitPart = fc.oneof(
  fc.constant({ init: undefined, initPlace: "inline" as const }),
  fc.record({ init: anyStateInit, initPlace: fc.constant<"ref">("ref") }),
  // With libraries, a cell with extra currencies, code, data and a body would need a fifth reference.
  fc.record({
    init: fc.record({ code: orAbsent(anyCell), data: fc.constant(undefined) }).map(
      (parts): StateInit => ({
        ...parts,
        fixedPrefixLength: undefined,
        special: undefined,
        libraries: emptyLibraries,
      }),
    ),
    initPlace: fc.constant<"inline">("inline"),
  }),
);
const anyBodyPart = fc.oneof(
  fc.record({ body: anyShortBody, bodyPlace: fc.constant<"inline">("inline") }),
  fc.record({ body: anyCell, bodyPlace: fc.constant<"ref">("ref") }),
);

function messageOf<Info>(info: fc.Arbitrary<Info>): fc.Arbitrary<MessageOf<Info>> {
  return fc.tuple(info, anyInitPart, anyBodyPart).map(([info, init, body]) => ({ info, ...init, ...body }));
}

export const anyMessage: fc.Arbitrary<Message> = messageOf(anyMessageInfo);
export const anyRelaxedMessage: fc.Arbitrary<RelaxedMessage> = messageOf(anyRelaxedInfo);
export const anyMessageInCell: fc.Arbitrary<InCell<Message>> = anyMessage.map((message) => ({
  ...message,
  cell: storeCell(Message, message),
}));

const route = {
  current: anyIntermediate,
  next: anyIntermediate,
  fwdFeeRemaining: anyCoins,
  message: anyMessage.map((message) => makeLinked(Message, message)),
};

export const anyEnvelope: fc.Arbitrary<MessageEnvelope> = fc.oneof(
  fc.record({ kind: fc.constant<"v1">("v1"), ...route }),
  fc.record({
    kind: fc.constant<"v2">("v2"),
    ...route,
    emittedLt: orAbsent(anyUint64),
    metadata: orAbsent(fc.record({ depth: anyUint32, initiator: anyShortAddress, initiatorLt: anyUint64 })),
  }),
);
