import { Type } from "typebox";
import type { AbiStore, AddedAbi } from "../../../contracts/AbiLibrary.ts";
import { asText, formatJson, type JsonObject } from "../../../lib/json.ts";
import { type Arg, optional } from "../../../lib/kit/arg.ts";
import { textArg } from "../../../lib/kit/basicArgs.ts";
import { list, text } from "../../../lib/kit/shape.ts";
import { formatRawAddress } from "../../../model/Address.ts";
import { hashToBase64 } from "../../../model/Hash.ts";
import { arg } from "../../declare/argument.ts";
import { endpointsOver, type WireArg } from "../../declare/endpoint.ts";
import { addressArg, hashArg, refuse } from "../../v2/args.ts";
import { typed } from "../../v2/shapes/typed.ts";

/** Where a local network keeps ABIs; absent when there is no data folder for them. */
export interface AbiServices {
  readonly abis?: AbiStore | undefined;
}

/** The text of a file, or the JSON in it. */
const fileArg: Arg<string> & WireArg<string, JsonObject | string> = {
  schema: Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())]),
  required: true,
  allowed: "an ABI",
  decode: (value) =>
    // Bodies are parsed JSON.
    typeof value === "object" && value !== null ? formatJson(value as JsonObject) : asText(value),
};

const added = typed<AddedAbi>()("localnet.abi", {
  id: text("Id of the ABI, for `tongate abi remove`.", ({ id }) => id),
  name: text("Name of the contract.", ({ abi: { name } }) => name),
  addresses: list(text)("Accounts that it is for, in raw form.", ({ target }) =>
    target.addresses.map(formatRawAddress),
  ),
  code_hashes: list(text)("Codes that it is for, in base64.", ({ target }) => target.codeHashes.map(hashToBase64)),
  interfaces: list(text)("Interfaces that it is for.", ({ target }) => target.interfaces),
});

/** Adds an ABI of one's own, as `tongate abi add` does. */
export const addAbi = endpointsOver<AbiServices>()({
  name: "abi",
  tag: "state",
  isExtra: true,
  methods: ["POST"],
  summary: "Adds the ABI of a contract, by which v3 shows its data, messages and get-methods.",
  description:
    "In the form of this API, or as the compilers of Tact and Tolk write it. It is found by address, by code hash, or by interface, and stays until `tongate abi remove`.",
  args: {
    file: arg("The ABI: its JSON, or the text of the file.", fileArg, { value: { name: "counter", methods: [] } }),
    address: arg("Account that it is for.", optional(addressArg())),
    code_hash: arg("Hash of the code that it is for.", optional(hashArg())),
    interface: arg("Name of the interface that it is for.", optional(textArg({ minLength: 1, maxLength: 200 }))),
    source: arg("Source text of the contract, shown with it.", optional(textArg({ maxLength: 1 << 20 }))),
  },
  result: added,
  run: ({ abis }, { file, address, code_hash: codeHash, interface: name, source }) => {
    if (abis === undefined) throw refuse("this network keeps no ABIs");
    const target = {
      addresses: address === undefined ? [] : [address.address],
      codeHashes: codeHash === undefined ? [] : [codeHash],
      interfaces: name === undefined ? [] : [name],
    };
    return abis.add(file, target, source);
  },
});
