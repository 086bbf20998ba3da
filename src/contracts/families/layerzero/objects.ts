import type { Cell } from "../../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { details } from "../../engine/details.ts";
import { noMatch } from "../../engine/messageParts.ts";

/** A message between chains. */
export interface Packet {
  readonly srcOapp: bigint;
  readonly dstOapp: bigint;
  readonly srcEid: number;
  readonly dstEid: number;
  readonly nonce: bigint;
  readonly guid: bigint;
  readonly message: string;
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

export const packetDetails = details<Packet>((f) => ({
  src_oapp: f.text("Application on the chain from which it comes.", (p) => hex(p.srcOapp)),
  dst_oapp: f.text("Application on the other chain that receives.", (p) => hex(p.dstOapp)),
  src_eid: f.number("Id of the chain from which it comes.", (p) => p.srcEid),
  dst_eid: f.number("Id of the chain to which it goes.", (p) => p.dstEid),
  nonce: f.bigNumber("Number of the packet or request.", (p) => p.nonce),
  guid: f.text("Id of the packet.", (p) => hex(p.guid)),
  message: f.text("Content of the packet, in hex.", (p) => p.message),
}));

/** Every object of the protocol begins with its name and a description of its fields. */
const nameBits = 80;
const headerBits = 350;
/** Objects are nested, each as the first reference of the outer one. */
const maxWraps = 4;

/** The fields of the object of that name. */
export function openObject(name: string, cell: Cell): Slice {
  const wanted = Buffer.from(name)
    .toString("hex")
    .padStart(nameBits / 4, "0");
  let at = cell;
  for (let wraps = 0; wraps < maxWraps; wraps++) {
    const slice = sliceOf(at);
    if (slice.remainingBits >= headerBits && slice.clone().loadHex(nameBits) === wanted) return slice.skip(headerBits);
    at = slice.loadRef();
  }
  throw noMatch(`no ${name} is carried`);
}

// Packet: ^path ^message nonce:uint64 guid:uint256
export function readPacket(cell: Cell): Packet {
  const packet = openObject("Packet", cell);
  const path = openObject("path", packet.loadRef());
  const message = sliceOf(packet.loadRef());
  return {
    // path: src_eid:uint32 src_oapp:uint256 dst_eid:uint32 dst_oapp:uint256
    srcEid: path.loadUint(32),
    srcOapp: path.loadBigUint(256),
    dstEid: path.loadUint(32),
    dstOapp: path.loadBigUint(256),
    nonce: packet.loadBigUint(64),
    guid: packet.loadBigUint(256),
    message: `0x${Buffer.from(message.loadBits(message.remainingBits)).toString("hex")}`,
  };
}

/** A request to send, with the payment. */
export interface SendRequest {
  readonly id: bigint;
  readonly msglibManager: bigint;
  readonly msglib: bigint;
  readonly nativeFee: bigint;
  readonly zroFee: bigint;
  readonly packet: Packet;
}

// lzSend: request_id:uint64 msglib_manager:uint256 msglib:uint256 ^packet ^options
//   ^[ connection:uint256 native_fee:uint128 zro_fee:uint128 … ]
export function readSendRequest(cell: Cell): SendRequest {
  const request = openObject("lzSend", cell);
  const id = request.loadBigUint(64);
  const msglibManager = request.loadBigUint(256);
  const msglib = request.loadBigUint(256);
  const packet = readPacket(request.loadRef());
  request.loadRef();
  const fees = sliceOf(request.loadRef()).skip(256);
  return { id, msglibManager, msglib, packet, nativeFee: fees.loadBigUint(128), zroFee: fees.loadBigUint(128) };
}

const statusNames: ReadonlyMap<number, string> = new Map([
  [0x3bbc306b, "succeeded"],
  [0x7fcbb4ac, "nonce_out_of_range"],
  [0x29c53fab, "dvn_not_configured"],
]);

// veristatus: nonce:uint64 status:uint32
export function readVerification(cell: Cell): { readonly nonce: bigint; readonly status: string } {
  const verification = openObject("veristatus", cell);
  const nonce = verification.loadBigUint(64);
  const status = verification.loadUint(32);
  return { nonce, status: statusNames.get(status) ?? `unknown_${status}` };
}

export const sendHex = hex;
