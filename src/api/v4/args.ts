import { Type } from "typebox";
import { asText } from "../../lib/json.ts";
import type { Arg } from "../../lib/kit/arg.ts";
import type { Address } from "../../model/Address.ts";
import { arg } from "../declare/argument.ts";
import { refuse, addressArg as v2AddressArg } from "../v2/args.ts";

/** A number of decimal digits only, up to a limit. */
function digitsArg<T>(allowed: string, max: bigint, convert: (value: bigint) => T): Arg<T> {
  return {
    schema: Type.String({ pattern: "^[0-9]+$" }),
    required: true,
    allowed,
    decode: (value, name) => {
      const text = asText(value ?? "");
      const found = /^[0-9]{1,20}$/.test(text) ? BigInt(text) : undefined;
      if (found === undefined || found > max) throw refuse(`failed to parse ${name}`, value);
      return convert(found);
    },
  };
}

/** The seqno of a masterchain block. */
export const seqnoArg = arg(
  "Seqno of the masterchain block at which everything is read.",
  digitsArg("the seqno of a masterchain block", 2n ** 32n - 1n, Number),
  "seqno",
);
/** Unix time in seconds. */
export const utimeArg = arg("Time of the block.", digitsArg("unix time in seconds", 2n ** 32n - 1n, Number), "utime");
export const ltArg = arg(
  "Logical time of a transaction of the account.",
  digitsArg("a logical time", 2n ** 64n - 1n, (value) => value),
  "lt",
);

const anyAddress = v2AddressArg();

/** An address in any form. */
export const addressArg = arg(
  "Address of the account.",
  { ...anyAddress, decode: (value: unknown, name: string): Address => anyAddress.decode(value, name).address },
  "wallet",
);

const idListArg: Arg<readonly number[]> = {
  schema: Type.String({ pattern: "^ *-?[0-9]+(?: *, *-?[0-9]+)* *$", examples: ["12,17,34"] }),
  required: true,
  allowed: "numbers of configuration parameters, joined by commas",
  decode: (value, name) => {
    const texts = asText(value ?? "").split(",");
    return texts.map((text) => {
      if (!/^ *-?[0-9]{1,10} *$/.test(text)) throw refuse(`failed to parse ${name}`, value);
      return Number(text) | 0;
    });
  },
};

/** Ids of configuration parameters, separated by commas. */
export const idsArg = arg("Numbers of the configuration parameters.", idListArg, { value: "8,15" });
