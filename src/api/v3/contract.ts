import { plainForm, readRootInSteps } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { findData, getAccount } from "../../chain/accounts.ts";
import type { Chain } from "../../chain/Chain.ts";
import type { AbiSubject } from "../../contracts/AbiLibrary.ts";
import type { Abi } from "../../contracts/abi/Abi.ts";
import { AbiCodec } from "../../contracts/abi/AbiCodec.ts";
import { AbiBudget } from "../../contracts/abi/AbiRun.ts";
import { AbiError } from "../../contracts/abi/errors.ts";
import { type CodeHolders, type LatestAccount, listAccounts, listCodeHolders } from "../../history/queries/accounts.ts";
import type { HistorySnapshot } from "../../history/queries/kit/History.ts";
import { orAborted } from "../../lib/abort.ts";
import { isCoded } from "../../lib/errors.ts";
import { list, nullable, shape } from "../../lib/kit/shape.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import type { Address } from "../../model/Address.ts";
import { type Hash, hashToBase64 } from "../../model/Hash.ts";
import { methodId } from "../../model/vm/methodId.ts";
import { arg, sampled } from "../declare/argument.ts";
import { writeBagInSteps } from "../declare/encodeBag.ts";
import { noProof } from "../declare/proof.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { bytesArg } from "../v2/args.ts";
import { readBagInSteps } from "../v2/bocArg.ts";
import { methodArg } from "../v2/stackArgs.ts";
import { abiArg, objectArg } from "./args/abiArgs.ts";
import { addressArg, boolArg, hashArg, needed, orElseArg, textArg, textsArg } from "./args/args.ts";
import { readStack, stackArg } from "./args/legacyStack.ts";
import { refusal } from "./args/refusals.ts";
import { type Control, endpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { onLive } from "./onLive.ts";
import { by, within } from "./scope/scopeRule.ts";
import {
  codeSubject,
  convertInTurns,
  type DecodedBy,
  decodeResultBy,
  findBodyBy,
  findStorageBy,
  libraryOf,
} from "./services/abis.ts";
import type { V3Services } from "./services/Services.ts";
import {
  type DescribedContract,
  decodedBy,
  describedContract,
  type SourceCheck,
  type TypedMethod,
} from "./shapes/contract.ts";
import { boc } from "./shapes/scalars.ts";

/** Items of one list of a request. */
const maxItems = 100;
/** Accounts with the same code in one answer. */
const maxHolders = 100;

async function findIndexed(reading: HistorySnapshot, account: Address): Promise<LatestAccount | undefined> {
  return (await listAccounts(reading, { accounts: [account], codeHashes: [], withCode: false }))[0];
}

function subjectIn({ row, interfaces }: LatestAccount): AbiSubject {
  return { address: row.account, codeHash: row.codeHash, interfaces };
}

/** Methods with types, then those of which only the number is known. */
function listMethods(codecs: readonly AbiCodec[], ids: readonly number[] | undefined): readonly TypedMethod[] {
  const typed = new Map<number, TypedMethod>();
  for (const { abi } of codecs) {
    for (const method of abi.methods ?? []) {
      const id = method.id ?? methodId(method.name);
      // Some codes of an interface lack the further methods of others.
      if (!typed.has(id) && ids?.includes(id) !== false) typed.set(id, { id, method, abi: abi.name });
    }
  }
  return [...typed.values(), ...(ids ?? []).filter((id) => !typed.has(id)).map((id) => ({ id }))];
}

async function showContract(
  services: V3Services,
  account: LatestAccount,
  data: Cell | undefined,
  context: RequestContext,
): Promise<Omit<DescribedContract, "sourceCheck" | "sameCode">> {
  const { row, methods, interfaces } = account;
  const { account: address, status, codeHash, dataHash } = row;
  const subject = subjectIn(account);
  const library = libraryOf(services);
  const codecs = library.find(subject);
  return {
    ...{ address, status, codeHash, dataHash, interfaces },
    methods: listMethods(codecs, methods),
    storage: data && (await convertInTurns(findShownStorage(codecs, data, codeHash), context)),
    abis: codecs.map(({ abi }) => abi),
    source: library.findSource(subject),
  };
}

/** Data beyond the limits is not shown, like data of an unknown layout. */
function* findShownStorage(
  codecs: readonly AbiCodec[],
  data: Cell,
  codeHash: Hash | undefined,
): Steps<DecodedBy | undefined> {
  try {
    return yield* storageOf(codecs, data, codeHash, new AbiBudget());
  } catch (error) {
    if (isCoded(error, "abi/too-large")) return undefined;
    throw error;
  }
}

function storageOf(
  codecs: readonly AbiCodec[],
  data: Cell,
  codeHash: Hash | undefined,
  budget: AbiBudget,
): Steps<DecodedBy | undefined> {
  return findStorageBy(codecs, data, codeHash && hashToBase64(codeHash), budget);
}

export const contract = endpoint({
  name: "contract",
  isExtra: true,
  proof: noProof("the index has it; accountStates proves code and data"),
  tag: "accounts",
  scope: within([by.account("address")]),
  summary: "What a contract is: its interfaces, get-methods with types, data by names.",
  description: "From the index, by the ABIs of known contracts and those that were added with `tongate abi add`.",
  statuses: [404],
  args: {
    address: arg("Address of the account.", needed(addressArg), "wallet"),
    include_same_code: arg("Add other accounts with the same code.", orElseArg(boolArg, false)),
    check_source: arg("Compile the source, where it is known, and compare the code.", orElseArg(boolArg, false)),
    same_code_after: arg("Only those of them that follow this address.", addressArg),
  },
  result: describedContract,
  run: async (services, args, context) => {
    const { account, sameCode } = await readIndexed(services, args, context);
    const { row } = account;
    const data =
      row.dataBoc === undefined
        ? await findLiveData(services, row, context)
        : await convertInTurns(readRootInSteps(row.dataBoc), context);
    const shown = await showContract(services, account, data, context);
    const sourceCheck = args.check_source ? await checkSource(services, shown, context.signal) : undefined;
    return { ...shown, sourceCheck, sameCode };
  },
});

async function checkSource(
  { compile }: V3Services,
  { source, codeHash }: Pick<DescribedContract, "source" | "codeHash">,
  signal: AbortSignal,
): Promise<SourceCheck | undefined> {
  if (source === undefined || compile === undefined) return undefined;
  return { compiled: await orAborted(compile(source), signal), codeHash };
}

interface ContractArgs extends Control {
  readonly address: Address | undefined;
  readonly include_same_code: boolean;
  readonly same_code_after: Address | undefined;
}

interface ReadContract {
  readonly account: LatestAccount;
  readonly sameCode: CodeHolders | undefined;
}

async function readContract(
  { reading }: { readonly reading: HistorySnapshot },
  { address, include_same_code: isWanted, same_code_after: after }: ContractArgs,
): Promise<ReadContract> {
  if (address === undefined) throw refusal("accountNeeded");
  const account = await findIndexed(reading, address);
  if (account === undefined) throw refusal("contractNotFound");
  const { codeHash } = account.row;
  if (!isWanted || codeHash === undefined) return { account, sameCode: undefined };
  return { account, sameCode: await listCodeHolders(reading, { codeHash, except: address, after }, maxHolders) };
}

const readIndexed = onHistory(readContract);

/** The index does not store deep data, such as a configuration: then the current chain has it. */
async function findLiveData(
  services: V3Services,
  { account, dataHash }: LatestAccount["row"],
  context: RequestContext,
): Promise<Cell | undefined> {
  if (dataHash === undefined || services.live === undefined) return undefined;
  const read = onLive(async (chain: Chain) => findData(await getAccount(chain, account)));
  return read(services, undefined, context);
}

/** Whose ABI is used: one that is given, or that of an account or of a code. */
const subjectArgs = {
  address: arg("Address of the account whose ABIs are used.", addressArg, "wallet"),
  code_hash: arg("Hash of the code whose ABIs are used.", hashArg),
  abi: arg("An ABI, which is used instead.", abiArg),
};

interface SubjectArgs extends Control {
  readonly address: Address | undefined;
  readonly code_hash: Hash | undefined;
  readonly abi: Abi | undefined;
}

interface Subject {
  readonly codecs: readonly AbiCodec[];
  readonly codeHash: Hash | undefined;
}

/** The ABIs that a request means. */
async function subjectOfArgs(services: V3Services, args: SubjectArgs, context: RequestContext): Promise<Subject> {
  const { abi, code_hash: codeHash } = args;
  if (abi !== undefined) return { codecs: [new AbiCodec(abi)], codeHash };
  if (codeHash !== undefined) return { codecs: libraryOf(services).find(codeSubject(codeHash)), codeHash };
  return onHistory<SubjectArgs, Subject>(async ({ reading }, { address }) => {
    if (address === undefined) throw refusal("abiNeeded");
    const account = await findIndexed(reading, address);
    if (account === undefined) throw refusal("contractNotFound");
    return { codecs: libraryOf(services).find(subjectIn(account)), codeHash: account.row.codeHash };
  })(services, args, context);
}

interface DecodedParts {
  readonly bodies: readonly (DecodedBy | undefined)[];
  readonly storage: readonly (DecodedBy | undefined)[];
  readonly result: DecodedBy | undefined;
}

function* readBags(name: string, texts: readonly string[]): Steps<readonly Cell[]> {
  if (texts.length > maxItems) throw refusal("listTooLong", { name, max: maxItems });
  const form = bytesArg({ missing: `failed to parse ${name}` });
  const cells: Cell[] = [];
  for (const text of texts) cells.push(yield* readBagInSteps(form.decode(text, name), name));
  return cells;
}

export const decodeContract = endpoint({
  name: "decodeContract",
  isExtra: true,
  proof: noProof("the server's ABIs decide it, which are not on the chain"),
  tag: "utils",
  scope: within([by.account("address")]),
  summary: "Bodies, data and results of a contract by the names of its ABI.",
  description: "By the ABIs of an account or of a code, or by one that is given. What no ABI describes is null.",
  methods: ["POST"],
  statuses: [404],
  args: {
    ...subjectArgs,
    bodies: arg("Message bodies, each a bag of cells in base64.", textsArg, ["body"]),
    storage: arg("Data of the contract, each a bag of cells in base64.", textsArg),
    method: arg("Get-method whose result `stack` is, by name or number.", textArg),
    stack: arg("Result of the get-method, first value first, each with its type.", stackArg),
  },
  result: shape<DecodedParts>()({
    bodies: list(nullable(decodedBy))("Decoded bodies, in the order of the request.", (d) => d.bodies),
    storage: list(nullable(decodedBy))("Decoded data, in the order of the request.", (d) => d.storage),
    result: nullable(decodedBy)("Decoded result; null when no method is given.", (d) => d.result),
  }),
  run: async (services, args, context) => {
    const { codecs, codeHash } = await subjectOfArgs(services, args, context);
    const { method, stack } = args;
    const result = method === undefined ? undefined : { method: methodArg.decode(method, "method"), stack };
    const decode = function* (): Steps<DecodedParts> {
      const budget = new AbiBudget();
      const bodies: (DecodedBy | undefined)[] = [];
      for (const body of yield* readBags("bodies", args.bodies)) bodies.push(yield* findBodyBy(codecs, body, budget));
      const storage: (DecodedBy | undefined)[] = [];
      for (const data of yield* readBags("storage", args.storage))
        storage.push(yield* storageOf(codecs, data, codeHash, budget));
      return {
        bodies,
        storage,
        result: result && (yield* decodeResultBy(codecs, result.method, readStack(result.stack), budget)),
      };
    };
    return convertInTurns(decode(), context);
  },
});

export const encodeContract = endpoint({
  name: "encodeContract",
  isExtra: true,
  proof: noProof("the server's ABIs decide it, which are not on the chain"),
  tag: "utils",
  scope: within([by.account("address")]),
  summary: "The body of a message that a contract accepts, made of values by name.",
  description: "By the ABIs of an account or of a code, or by one that is given. Nothing is sent.",
  methods: ["POST"],
  statuses: [404],
  args: {
    ...subjectArgs,
    abi: sampled(subjectArgs.abi, {
      value: {
        name: "counter",
        receives: [{ name: "add", tag: "#7e8764ef", fields: [{ name: "by", type: "coins" }] }],
      },
    }),
    message: arg("Name of the message.", needed(textArg), { value: "add" }),
    fields: arg("Values by name; optional ones may be left out.", objectArg, { value: { by: "1000000000" } }),
  },
  result: shape<{ readonly body: Uint8Array }>()({
    body: boc("Body of the message, as a bag of cells in base64.", (e) => e.body),
  }),
  run: async (services, args, context) => {
    const { codecs } = await subjectOfArgs(services, args, context);
    const { message, fields = {} } = args;
    if (message === undefined) throw refusal("messageNameNeeded");
    const codec = codecs.find(({ abi }) => abi.receives?.some(({ name }) => name === message));
    if (codec === undefined) {
      const shown = message.slice(0, 100);
      throw new AbiError("abi/unknown", `no ABI of the contract has a message ${shown} that it accepts`);
    }
    const encode = function* (): Steps<Uint8Array> {
      return yield* writeBagInSteps([yield* codec.inSteps().encodeBody(message, fields)], plainForm);
    };
    return { body: await convertInTurns(encode(), context) };
  },
});
