import { Type } from "typebox";
import { bool, field } from "../../../lib/kit/shape.ts";
import { type Address, type AddressFlags, formatAddress, workchainOf } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { hash64, hash64Url, hex64, rawLower } from "./scalars.ts";
import { typed } from "./typed.ts";

/** An address in its possible forms. */
export interface FlaggedAddress {
  readonly address: Address;
  readonly flags: AddressFlags;
}

/** The user-friendly form; workchains beyond one byte have none, shown as an empty text. */
function formatFriendly({ address, flags }: FlaggedAddress, alphabet: "base64" | "base64url"): string {
  const workchain = workchainOf(address);
  return workchain < -128 || workchain > 127 ? "" : formatAddress(address, flags, alphabet);
}

/** User-friendly form in the URL-safe alphabet. */
export const friendlyUrl = field({
  schema: Type.String({
    pattern: "^(?:[A-Za-z0-9_-]{48})?$",
    examples: ["EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"],
  }),
  encode: (value: FlaggedAddress) => formatFriendly(value, "base64url"),
});

const friendly = field({
  schema: Type.String({ pattern: "^(?:[A-Za-z0-9+/]{48})?$" }),
  encode: (value: FlaggedAddress) => formatFriendly(value, "base64"),
});

const variant = typed<FlaggedAddress>()("ext.utils.detectedAddressVariant", {
  b64: friendly("Address in base64.", (each) => each),
  b64url: friendlyUrl("Address in base64 of the URL-safe alphabet.", (each) => each),
});

const givenTypes = ["raw_form", "friendly_bounceable", "friendly_non_bounceable"] as const;

/** How an address was written. */
export type AddressForm = (typeof givenTypes)[number];

const givenType = field({
  schema: Type.Union(givenTypes.map((each) => Type.Literal(each))),
  encode: (value: AddressForm) => value,
});

export interface DetectedAddress {
  readonly address: Address;
  readonly givenType: AddressForm;
  readonly testOnly: boolean;
}

function withFlag({ address, testOnly }: DetectedAddress, bounceable: boolean): FlaggedAddress {
  return { address, flags: { bounceable, testOnly } };
}

/** All forms of an address. */
export const detectedAddress = typed<DetectedAddress>()("ext.utils.detectedAddress", {
  raw_form: rawLower("Address as workchain and hex.", (detectedAddress) => detectedAddress.address),
  bounceable: variant("Forms from which failed messages return.", (detectedAddress) => withFlag(detectedAddress, true)),
  non_bounceable: variant("Forms from which failed messages do not return.", (detectedAddress) =>
    withFlag(detectedAddress, false),
  ),
  given_type: givenType("Form in which the address was given.", (detectedAddress) => detectedAddress.givenType),
  test_only: bool("Whether the address is marked for test networks.", (detectedAddress) => detectedAddress.testOnly),
});

/** All forms of a hash. */
export const detectedHash = typed<Hash>()("ext.utils.detectedHash", {
  b64: hash64("Hash in base64.", (hash) => hash),
  b64url: hash64Url("Hash in base64 of the URL-safe alphabet, without padding.", (hash) => hash),
  hex: hex64("Hash in hex.", (hash) => hash),
});
