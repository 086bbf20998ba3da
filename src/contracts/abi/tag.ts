import { AbiError } from "./errors.ts";

const form = /^(?:#([0-9a-f]{1,16})|\$([01]{1,64}))$/i;

/** A tag in the notation of TL-B: `#0f8a7ea5` in hex, `$01` in bits. */
export function findTag(text: string): { readonly tag: bigint; readonly bits: number } | undefined {
  const [, hex, bits] = form.exec(text) ?? [];
  if (hex !== undefined) return { tag: BigInt(`0x${hex}`), bits: hex.length * 4 };
  return bits === undefined ? undefined : { tag: BigInt(`0b${bits}`), bits: bits.length };
}

export function parseTag(text: string): { readonly tag: bigint; readonly bits: number } {
  const found = findTag(text);
  if (found === undefined) throw new AbiError("abi/unknown", `${text} is not a tag`);
  return found;
}
