import { base64ToBytes } from "./bytes.ts";
import { humanize } from "./names.ts";

/** Operations that contracts number by hand; every kind of contract has its own meaning of 1. */
const numbered: readonly (readonly [kind: string, operations: Readonly<Record<number, string>>])[] = [
  ["nft_collection", { 1: "Mint NFT", 2: "Mint NFTs", 3: "Change owner", 4: "Change content" }],
  ["jetton_master", { 3: "Change admin", 4: "Change content", 21: "Mint jettons" }],
  ["wallet_v4", { 1: "Deploy plugin", 2: "Install plugin", 3: "Remove plugin" }],
  ["nft_sale", { 1: "Top up", 3: "Cancel sale" }],
  ["nft_auction", { 1: "Top up" }],
];

/** Opcodes from here on are hashes of their declaration: two contracts do not choose the same one by chance. */
const leastHashed = 0x10000;

/** First words of names that differ from those of interfaces. */
const otherKinds: Readonly<Record<string, string>> = { w4: "wallet_v4", w5: "wallet_v5", minter: "jetton_master" };

/**
 * The name of an operation. The receiver's interfaces decide: several contracts use the same number for different
 * operations, so a name that the API gives by the opcode counts only if the receiver is of that kind, or if the opcode
 * is a hash that one kind has.
 */
export function nameOpcode(opcode: string, names: string | null | undefined, interfaces: readonly string[]): string {
  const number = Number(opcode);
  for (const [kind, operations] of numbered) {
    const own = interfaces.some((each) => each.startsWith(kind)) ? operations[number] : undefined;
    if (own !== undefined) return own;
  }
  const candidates = names?.split(",") ?? [];
  const isCertain = candidates.length === 1 && number >= leastHashed;
  const name = isCertain ? candidates[0] : candidates.find((each) => isOfKind(each, interfaces));
  // The name of the API has a letter missing.
  if (name !== undefined) return humanize(name.replace(/^mulisig/, "multisig"));
  return `Operation ${number < leastHashed ? number : opcode}`;
}

function isOfKind(name: string, interfaces: readonly string[]): boolean {
  const first = name.slice(0, name.indexOf("_"));
  const kind = otherKinds[first] ?? `${first}_`;
  return interfaces.some((each) => each.startsWith(kind));
}

/** Whether a body may be shown as decoded: by the opcode alone it may be the body of another contract. */
export function isDecodedFor(type: unknown, opcode: string | null, interfaces: readonly string[]): boolean {
  const isNumbered = opcode !== null && Number(opcode) > 0 && Number(opcode) < leastHashed;
  return !isNumbered || isOfKind(String(type), interfaces);
}

/** The opcode of a returned message: its body is 0xffffffff and the beginning of the body that was sent. */
export function findReturnedOpcode(body: string): string | undefined {
  const bytes = base64ToBytes(body) ?? new Uint8Array();
  const [, , , , flags = 0, offsetSize = 0] = bytes;
  const size = flags & 7;
  const count = (at: number): number => bytes.subarray(at, at + size).reduce((sum, byte) => sum * 256 + byte, 0);
  const index = flags & 0x80 ? count(6) * offsetSize : 0;
  // Magic, flags, size of offsets, number of cells, roots and absent cells, total size, the root; then the descriptors
  // of its cell.
  const start = 6 + 3 * size + offsetSize + count(6 + size) * size + index + 2;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (start + 8 > bytes.length || view.getUint32(start) !== 0xffffffff) return undefined;
  return `0x${view
    .getUint32(start + 4)
    .toString(16)
    .padStart(8, "0")}`;
}
