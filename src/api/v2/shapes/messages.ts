import type { Cell } from "../../../cell/Cell.ts";
import { storeCell } from "../../../cell/codec.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { isCoded } from "../../../lib/errors.ts";
import { decimal, field, omittable, text } from "../../../lib/kit/shape.ts";
import type { Address, InternalAddress } from "../../../model/Address.ts";
import { noCurrency } from "../../../model/Currency.ts";
import type { InCell, Message } from "../../../model/Message.ts";
import { StateInit } from "../../../model/StateInit.ts";
import { accountAddress, base64, boc, extraCurrencies, friendly, int64, maybeBoc, oneOf } from "./ids.ts";
import { hash64 } from "./scalars.ts";
import { typed } from "./typed.ts";

/** A message's body, by the kinds of this API. */
type Body =
  | { readonly kind: "text"; readonly bytes: Uint8Array }
  | { readonly kind: "encrypted"; readonly bytes: Uint8Array }
  | { readonly kind: "raw"; readonly body: Cell; readonly init: StateInit | undefined };

const encryptedOpcode = 0x2167da4b;

function bodyOf({ body, init }: Message): Body {
  const bytes = findSnake(body);
  if (bytes !== undefined && bytes.length >= 4) {
    const opcode = Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32BE();
    if (opcode === 0) return { kind: "text", bytes: bytes.subarray(4) };
    if (opcode === encryptedOpcode) return { kind: "encrypted", bytes: bytes.subarray(4) };
  }
  return { kind: "raw", body, init };
}

/** Maximum number of cells of one text; messages have far fewer. */
const maxParts = 1 << 13;

/** Joins the bits of the cell and of its chain of first references; only their total must be whole bytes. */
function findSnake(body: Cell): Uint8Array | undefined {
  if (body.isExotic || body.bitLength < 32) return undefined;
  const opcode = sliceOf(body).preloadUint(32);
  if (opcode !== 0 && opcode !== encryptedOpcode) return undefined;
  const parts = listParts(body);
  const bits = parts?.reduce((sum, part) => sum + part.remainingBits, 0) ?? 1;
  if (parts === undefined || bits % 8 !== 0) return undefined;
  const bytes = new Uint8Array(bits / 8);
  let at = 0;
  for (const part of parts) {
    const count = part.remainingBits;
    part.loadBitsInto(count, bytes, at);
    at += count;
  }
  return bytes;
}

function listParts(body: Cell): Slice[] | undefined {
  const parts: Slice[] = [];
  try {
    for (let at: Cell | undefined = body; at !== undefined; ) {
      const slice: Slice = sliceOf(at);
      parts.push(slice);
      if (parts.length > maxParts) return undefined;
      at = slice.remainingRefs > 0 ? slice.preloadRef() : undefined;
    }
  } catch (error) {
    // An exotic cell cannot be read as text.
    if (isCoded(error)) return undefined;
    throw error;
  }
  return parts;
}

const dataText = typed<Uint8Array>()("msg.dataText", {
  text: base64("Text of the comment, as bytes in base64.", (bytes) => bytes),
});
const dataEncryptedText = typed<Uint8Array>()("msg.dataEncryptedText", {
  text: base64("Encrypted text of the comment, as bytes in base64.", (bytes) => bytes),
});
const dataRaw = typed<Extract<Body, { readonly kind: "raw" }>>()("msg.dataRaw", {
  body: boc("Body as a bag of cells in base64.", (raw) => raw.body),
  init_state: maybeBoc(
    "Code and data that the message deploys, as a bag of cells in base64; empty without them.",
    (raw) => (raw.init === undefined ? undefined : storeCell(StateInit, raw.init)),
  ),
});

const messageData = oneOf([dataText, dataEncryptedText, dataRaw], (body: Body) => {
  if (body.kind === "raw") return dataRaw.encode(body);
  return body.kind === "text" ? dataText.encode(body.bytes) : dataEncryptedText.encode(body.bytes);
});

/** A message with its decoded body, which several fields use. */
export interface Look {
  readonly message: InCell<Message>;
  readonly body: Body;
}

function look(message: InCell<Message>): Look {
  return { message, body: bodyOf(message) };
}

function plain(address: InternalAddress): Address | undefined {
  return typeof address === "string" ? address : undefined;
}

function sourceOf({ message: { info } }: Look): Address | undefined {
  return info.kind === "externalIn" ? undefined : plain(info.src);
}

function destinationOf({ message: { info } }: Look): Address | undefined {
  return info.kind === "externalOut" ? undefined : plain(info.dest);
}

function amountOf({ message: { info } }: Look) {
  return info.kind === "internal" ? info.value : noCurrency;
}

const common = {
  hash: hash64("Hash of the message, in base64.", ({ message }: Look) => message.cell.hash()),
  value: decimal("Coins that the message carries, in nanocoins.", (each: Look) => amountOf(each).coins),
  extra_currencies: extraCurrencies(
    "Amounts of other currencies in their smallest units, by number of the currency.",
    (each: Look) => amountOf(each).extra,
  ),
  fwd_fee: decimal("Fee for forwarding the message, in nanocoins.", ({ message: { info } }: Look) =>
    info.kind === "internal" ? info.fwdFee : 0n,
  ),
  ihr_fee: decimal("Fee for instant routing, in nanocoins.", (_each: Look) => 0n),
  created_lt: int64("Logical time at which the message was created.", ({ message: { info } }: Look) =>
    info.kind === "externalIn" ? 0n : info.createdLt,
  ),
  body_hash: hash64("Hash of the body cell, in base64.", ({ message }: Look) => message.body.hash()),
  msg_data: messageData("Body and the state of the message.", ({ body }: Look) => body),
};

const rawLook = typed<Look>()("raw.message", {
  ...common,
  source: accountAddress("Address of the sender, in an object; empty for an incoming external message.", sourceOf),
  destination: accountAddress(
    "Address of the receiver, in an object; empty for an outgoing external message.",
    destinationOf,
  ),
});

const extLook = typed<Look>()("ext.message", {
  ...common,
  source: friendly("User-friendly address of the sender; empty for an incoming external message.", sourceOf),
  destination: friendly(
    "User-friendly address of the receiver; empty for an outgoing external message.",
    destinationOf,
  ),
  message: omittable(text)(
    "Body as text, or its first bits in base64 where it is no text; absent for an encrypted one.",
    ({ body }) => textOf(body),
  ),
  message_decode_error: omittable(text)(
    "Reason why the body cannot be shown as text; absent when it can.",
    ({ body }) => (body.kind === "raw" && body.body.isExotic ? "the body is no ordinary cell" : undefined),
  ),
});

/** Keeps a byte order mark as part of the text. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Text as text, other bodies as base64 of the bits of their first cell; encrypted ones are not readable without a key.
 */
function textOf(body: Body): string | undefined {
  if (body.kind === "encrypted") return undefined;
  if (body.kind === "text") return decoder.decode(body.bytes);
  if (body.body.isExotic) return undefined;
  if (body.body.bitLength === 0) return "";
  const slice = sliceOf(body.body);
  return `${base64.encode(slice.loadBits(slice.remainingBits))}\n`;
}

/** A message with addresses in objects. */
export const rawMessage = field({
  schema: rawLook.schema,
  encode: (message: InCell<Message>) => rawLook.encode(look(message)),
});

/** A message with addresses as text, and its body as text. */
export const extMessage = field({
  schema: extLook.schema,
  encode: (message: InCell<Message>) => extLook.encode(look(message)),
});
