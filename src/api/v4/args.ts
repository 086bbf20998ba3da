import { Type } from "typebox";
import type { Arg } from "../../lib/kit/arg.ts";
import type { Address } from "../../model/Address.ts";
import { refuse, addressArg as v2AddressArg } from "../v2/args.ts";

/** A number of decimal digits only, up to a limit. */
function digitsArg<T>(allowed: string, max: bigint, convert: (value: bigint) => T): Arg<T> {
  return {
    schema: Type.String({ pattern: "^[0-9]+$" }),
    required: true,
    allowed,
    decode: (value, name) => {
      const text = String(value ?? "");
      const found = /^[0-9]{1,20}$/.test(text) ? BigInt(text) : undefined;
      if (found === undefined || found > max) throw refuse(`failed to parse ${name}`, value);
      return convert(found);
    },
  };
}

/** The seqno of a masterchain block. */
export const seqnoArg = digitsArg("the seqno of a masterchain block", 2n ** 32n - 1n, Number);
/** Unix time in seconds. */
export const utimeArg = digitsArg("unix time in seconds", 2n ** 32n - 1n, Number);
export const ltArg = digitsArg("a logical time", 2n ** 64n - 1n, (value) => value);

const anyAddress = v2AddressArg();

/** An address in any form. */
export const addressArg: Arg<Address> = {
  ...anyAddress,
  decode: (value, name) => anyAddress.decode(value, name).address,
};

/** Ids of configuration parameters, separated by commas. */
export const idsArg: Arg<readonly number[]> = {
  schema: Type.String({ pattern: "^ *-?[0-9]+(?: *, *-?[0-9]+)* *$", examples: ["12,17,34"] }),
  required: true,
  allowed: "numbers of configuration parameters, joined by commas",
  decode: (value, name) => {
    const texts = String(value ?? "").split(",");
    return texts.map((text) => {
      if (!/^ *-?[0-9]{1,10} *$/.test(text)) throw refuse(`failed to parse ${name}`, value);
      return Number(text) | 0;
    });
  },
};
