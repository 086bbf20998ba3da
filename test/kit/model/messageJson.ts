import { crcForm, writeBoc } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { sliceOf } from "../../../src/cell/Slice.ts";
import type { InternalAddress } from "../../../src/model/Address.ts";
import { type Address, type ExternalAddress, formatRawAddress, plainAddress } from "../../../src/model/Address.ts";
import type { ExtraCurrencies } from "../../../src/model/Currency.ts";
import { hashToBase64 } from "../../../src/model/Hash.ts";
import type { InCell, Message, MessageInfo } from "../../../src/model/Message.ts";
import { StateInit } from "../../../src/model/StateInit.ts";

/** A message in the format of the corpus expectations: the v3 fields that its cell determines. */
export type MessageJson = Readonly<Record<string, unknown>>;

/** Which parts of a cell to show. */
export type CellForm = "hash" | "hash and bytes";

export function rawText(address: InternalAddress): string {
  return formatRawAddress(plainAddress(address) as Address);
}

export function extraJson(extra: ExtraCurrencies): Readonly<Record<string, string>> {
  return Object.fromEntries(extra.entries().map(([id, amount]) => [String(id), String(amount)]));
}

export function cellJson(cell: Cell, form: CellForm): Readonly<Record<string, string>> {
  const hash = hashToBase64(cell.hash());
  return form === "hash" ? { hash } : { hash, body: writeBoc(cell, crcForm).toString("base64") };
}

export function messageJson(message: InCell<Message>, form: CellForm, externalName: string): MessageJson {
  const { info, body, init, cell } = message;
  return {
    hash: hashToBase64(cell.hash()),
    ...infoJson(info, externalName),
    opcode: opcodeJson(body),
    message_content: cellJson(body, form),
    init_state: init === undefined ? null : cellJson(storeCell(StateInit, init), form),
  };
}

function opcodeJson(body: Cell): string | null {
  if (body.isExotic || body.bitLength < 32) return null;
  return `0x${sliceOf(body).loadUint(32).toString(16).padStart(8, "0")}`;
}

const nothing = {
  source: null,
  destination: null,
  value: null,
  fwd_fee: null,
  ihr_fee: null,
  created_lt: null,
  created_at: null,
  ihr_disabled: null,
  bounce: null,
  bounced: null,
  import_fee: null,
};

function infoJson(info: MessageInfo, externalName: string): MessageJson {
  if (info.kind === "externalIn") {
    const { dest, importFee } = info;
    return { ...nothing, destination: rawText(dest), import_fee: String(importFee), value_extra_currencies: null };
  }
  const created = { created_lt: String(info.createdLt), created_at: String(info.createdAt) };
  if (info.kind === "externalOut") {
    const { src, dest } = info;
    const external = dest === undefined ? {} : { [externalName]: externalJson(dest) };
    return { ...nothing, ...created, ...external, source: rawText(src), value_extra_currencies: {} };
  }
  return {
    ...nothing,
    ...created,
    source: rawText(info.src),
    destination: rawText(info.dest),
    value: String(info.value.coins),
    value_extra_currencies: extraJson(info.value.extra),
    fwd_fee: String(info.fwdFee),
    ihr_fee: String(info.extraFlags),
    ihr_disabled: info.ihrDisabled,
    bounce: info.bounce,
    bounced: info.bounced,
  };
}

/** The address as a hex number. */
function externalJson({ bits, value }: ExternalAddress): unknown {
  const number = BigInt(`0x0${value}`) >> BigInt(value.length * 4 - bits);
  return { ext: true, bits, value: number.toString(16) };
}
