import { writeBoc } from "../../../cell/boc.ts";
import type { Abi } from "../../../contracts/abi/Abi.ts";
import { AbiCodec } from "../../../contracts/abi/AbiCodec.ts";
import { AbiError } from "../../../contracts/abi/errors.ts";
import { parseAbi } from "../../../contracts/abi/parseAbi.ts";
import { readCell } from "../../../contracts/abi/values.ts";
import { toBase64 } from "../../../lib/bytes.ts";
import { isCoded } from "../../../lib/errors.ts";
import type { JsonInput, JsonObject, JsonValue } from "../../../lib/json.ts";
import { hashToBase64 } from "../../../model/Hash.ts";
import type { VmValues } from "../../../model/vm/VmValue.ts";
import { ApiError } from "../../declare/errors.ts";
import { formatStack, readAnswered, type StackForm } from "./stackForms.ts";
import type { ContractReadOptions, TypedContract } from "./TypedContract.ts";

/** The client that a contract asks: v2 writes stacks as pairs, v3 as entries. */
export interface ContractClient {
  readonly form: StackForm;
  ask(name: string, args: JsonInput, options: ContractReadOptions): Promise<unknown>;
}

/** Opens a contract; an ABI that is none is refused with the path of what is wrong. */
export function openContract<const A extends Abi>(client: ContractClient, address: string, abi: A): TypedContract<A> {
  // The types of an ABI are those of plain JSON.
  const codec = new AbiCodec(parseAbi(abi as unknown as JsonValue), { integers: "bigint" });
  const { methods = [], receives = [] } = codec.abi;
  const opened = {
    address,
    abi,
    read: byName(methods, (name) => (args: JsonObject = {}, options: ContractReadOptions = {}) => {
      return runMethod(client, { codec, address, name, args, options });
    }),
    encode: byName(
      receives,
      (name) =>
        (fields: JsonObject = {}) =>
          bagOf(codec, name, fields),
    ),
    decode: (body: string) => codec.findBody(readCell(body, "body")),
    storage: (options: ContractReadOptions = {}) => readStorage(client, { codec, address, options }),
  };
  // The codec makes the values that the types of the ABI say.
  return opened as unknown as TypedContract<A>;
}

/** Names are of strangers: `toString` and `__proto__` are names like others. */
function byName<T>(list: readonly { readonly name: string }[], make: (name: string) => T): object {
  return Object.fromEntries(list.map(({ name }) => [name, make(name)]));
}

function bagOf(codec: AbiCodec, name: string, fields: JsonObject): string {
  return toBase64(writeBoc(codec.encodeBody(name, fields)));
}

interface Call {
  readonly codec: AbiCodec;
  readonly address: string;
  readonly options: ContractReadOptions;
}

async function runMethod(
  client: ContractClient,
  { codec, address, options, name, args }: Call & { readonly name: string; readonly args: JsonObject },
): Promise<JsonObject> {
  const { id = name } = codec.getMethod(name);
  const stack = formatStack(client.form, codec.encodeArgs(name, args));
  const answer = Object(await askAt(client, "runGetMethod", { address, method: id, stack }, options));
  const exitCode = Number(answer.exit_code);
  if (exitCode !== 0 && exitCode !== 1) {
    const words = codec.findError(exitCode);
    const text = `${name}: exit code ${exitCode}${words === undefined ? "" : `: ${words}`}`;
    throw new ApiError("api/exit-code", text, { data: { exitCode, ...(words !== undefined && { error: words }) } });
  }
  return codec.decodeResult(name, readResult(name, answer.stack));
}

/** What cannot be read of an answer is the server's fault. */
function readResult(name: string, stack: unknown): VmValues {
  try {
    return readAnswered(stack);
  } catch (cause) {
    if (!isCoded(cause)) throw cause;
    throw new ApiError("api/unreachable", `${name}: ${cause.message}`, { data: {}, cause });
  }
}

async function readStorage(client: ContractClient, { codec, address, options }: Call): Promise<JsonObject> {
  // The index of v3 is behind the chain on which get-methods run.
  const { code, data } = Object(
    client.form === "pairs"
      ? await askAt(client, "getAddressInformation", { address }, options)
      : await askAt(client, "addressInformation", { address, use_v2: true }, options),
  );
  if (!isBag(data)) throw new AbiError("abi/data", `${address} has no data`);
  const codeHash = isBag(code) ? hashToBase64(readCell(code, "code").hash()) : undefined;
  const fields = codec.findStorage(readCell(data, "data"), codeHash);
  if (fields === undefined)
    throw new AbiError("abi/data", `no layout of ${codec.abi.name} fits the data of ${address}`);
  return fields;
}

function isBag(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function askAt(client: ContractClient, name: string, args: JsonInput & object, { seqno, signal }: ContractReadOptions) {
  if (seqno !== undefined && client.form === "entries")
    throw new ApiError("api/argument", "seqno: v3 runs get-methods at the newest block; the client of v2 takes it");
  return client.ask(name, seqno === undefined ? args : { ...args, seqno }, signal === undefined ? {} : { signal });
}
