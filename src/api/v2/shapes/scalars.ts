import { Type } from "typebox";
import { field } from "../../../lib/kit/shape.ts";
import { type Address, formatRawAddress } from "../../../model/Address.ts";
import { type Hash, hashToBase64 } from "../../../model/Hash.ts";

/** 32 bytes as base64 with padding. */
export const hash64 = field({
  schema: Type.String({ pattern: "^[A-Za-z0-9+/]{43}=$", examples: ["CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM="] }),
  encode: (value: Hash) => hashToBase64(value),
});

/** 32 bytes as base64 of the URL-safe alphabet, without padding. */
export const hash64Url = field({
  schema: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" }),
  encode: (value: Hash) => Buffer.from(value, "hex").toString("base64url"),
});

/** 32 bytes as lower-case hex. */
export const hex64 = field({
  schema: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  encode: (value: Hash): string => value,
});

/** Raw form, hex in upper case. */
export const rawUpper = field({
  schema: Type.String({ pattern: "^-?[0-9]+:[0-9A-F]{64}$" }),
  encode: (value: Address) => formatRawAddress(value),
});

/** Raw form, hex in lower case. */
export const rawLower = field({
  schema: Type.String({ pattern: "^-?[0-9]+:[0-9a-f]{64}$" }),
  encode: (value: Address): string => value,
});
