import { findCode, findData, getAccount, isSuspended, type AccountNow as LiveAccount } from "../../chain/accounts.ts";
import type { Chain } from "../../chain/Chain.ts";
import type { MessageParts } from "../../chain/message.ts";
import { estimateFees } from "../../chain/run/fees.ts";
import { isSuccess, runMethod, runMethodAt } from "../../chain/run/getMethod.ts";
import { runWithWideNumbers } from "../../chain/run/wideNumbers.ts";
import { sendMessage } from "../../chain/send.ts";
import { findWallet } from "../../chain/wallets.ts";
import type { Abi } from "../../contracts/abi/Abi.ts";
import { AbiCodec } from "../../contracts/abi/AbiCodec.ts";
import { AbiBudget } from "../../contracts/abi/AbiRun.ts";
import { findWalletOf, type LatestAccount, listAccounts } from "../../history/queries/accounts.ts";
import type { HistorySnapshot } from "../../history/queries/kit/History.ts";
import { readSuspended } from "../../history/queries/validators/suspended.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { ArgValues } from "../../lib/kit/arg.ts";
import type { Address } from "../../model/Address.ts";
import { zeroHash } from "../../model/Hash.ts";
import { arg } from "../declare/argument.ts";
import { largeProof, noProof, writeProof } from "../declare/proof.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { addressArg as v2AddressArg } from "../v2/args.ts";
import { bocArg, readBag } from "../v2/bocArg.ts";
import { frozenHash } from "../v2/shapes/accounts.ts";
import { stateWord } from "../v2/shapes/balances.ts";
import { methodArg } from "../v2/stackArgs.ts";
import { abiArg, objectArg } from "./args/abiArgs.ts";
import { addressArg, boolArg, int32Arg, needed, orElseArg, textArg } from "./args/args.ts";
import { readStack, type StackEntryArg, stackArg } from "./args/legacyStack.ts";
import { refusal } from "./args/refusals.ts";
import { type Control, endpoint } from "./declare.ts";
import { onHistory } from "./onHistory.ts";
import { onLive } from "./onLive.ts";
import { by, notIndexed, within } from "./scope/scopeRule.ts";
import { convertInTurns, decodeResultBy, getMethodAbi, libraryOf, subjectOf } from "./services/abis.ts";
import type { V3Services } from "./services/Services.ts";
import {
  type AddressInfo,
  addressInfo,
  feeResult,
  methodResult,
  sentMessage,
  type TypedOutcome,
  type WalletInfo,
  walletInfo,
} from "./shapes/legacy.ts";

const accountArgs = {
  address: arg("Address of the account.", needed(addressArg), "wallet"),
  use_v2: arg("Answer from the current chain instead of the index.", orElseArg(boolArg, false)),
};
type AccountArgs = ArgValues<typeof accountArgs> & Control;

type Suspension = Pick<AddressInfo, "isSuspended">;

/** Makes the `run` of an endpoint about one account, answered from the index or from the current chain. */
function aboutAccount<R>(
  fromIndex: (account: LatestAccount | undefined) => R,
  fromChain: (account: LiveAccount) => R,
): (services: V3Services, args: AccountArgs, context: RequestContext) => Promise<R & Suspension> {
  const indexed = onHistory<AccountArgs, R & Suspension>(async ({ reading }, { address }) => {
    const account = requireAddress(address);
    const found = fromIndex(await findAccount(reading, account));
    return { ...found, isSuspended: (await readSuspended(reading, [account])).has(account) };
  });
  const live = onLive(async (chain, { address }: AccountArgs) => {
    const account = await getAccount(chain, requireAddress(address));
    return { ...fromChain(account), isSuspended: await isSuspended(chain, account) };
  });
  return async (services, args, context) => {
    requireAddress(args.address);
    return args.use_v2 ? live(services, args, context) : indexed(services, args, context);
  };
}

function requireAddress(address: Address | undefined): Address {
  if (address === undefined) throw refusal("accountNeeded");
  return address;
}

async function findAccount(reading: HistorySnapshot, address: Address): Promise<LatestAccount | undefined> {
  return (await listAccounts(reading, { accounts: [address], codeHashes: [], withCode: true }))[0];
}

/** The answer for an unknown account. */
const unknown = { balance: 0n, lastLt: 0n, lastHash: zeroHash, status: "uninit" } as const;

const addressRun = aboutAccount<Omit<AddressInfo, "isSuspended">>(
  (account) => {
    if (account === undefined) return { ...unknown, code: undefined, data: undefined, frozenHash: undefined };
    const { balance, status, dataBoc, lastTransHash, lastTransLt } = account.row;
    return {
      balance,
      code: account.codeBoc,
      data: dataBoc,
      lastLt: lastTransHash === undefined ? undefined : lastTransLt,
      lastHash: lastTransHash,
      frozenHash: undefined,
      status,
    };
  },
  (account) => {
    return {
      balance: account.balance.coins,
      code: findCode(account),
      data: findData(account),
      lastLt: account.lastTransaction.lt,
      lastHash: account.lastTransaction.hash,
      frozenHash: frozenHash(account),
      status: stateWord.encode(account),
    };
  },
);

const walletRun = aboutAccount<Omit<WalletInfo, "isSuspended">>(
  (account) => {
    if (account === undefined) return { ...unknown, wallet: undefined };
    const { balance, status, lastTransHash, lastTransLt } = account.row;
    const wallet = findWalletOf(account);
    if (wallet === undefined && status !== "uninit") throw refusal("notWallet");
    if (lastTransHash === undefined) throw refusal("noneInState", { name: "last_transaction_hash" });
    return { balance, wallet, lastLt: lastTransLt, lastHash: lastTransHash, status };
  },
  (account) => {
    const wallet = findWallet(account);
    const status = stateWord.encode(account);
    if (wallet === undefined && status !== "uninitialized") throw refusal("notWallet");
    const { lt: lastLt, hash: lastHash } = account.lastTransaction;
    return { balance: account.balance.coins, wallet, lastLt, lastHash, status };
  },
);

const addressParts = {
  tag: "legacy",
  description: "From the index; with `use_v2` from the current chain, with the texts of v2.",
  args: accountArgs,
  result: addressInfo,
  run: addressRun,
} as const;

const walletParts = {
  ...addressParts,
  statuses: [409],
  result: walletInfo,
  run: walletRun,
} as const;

export const addressInformation = endpoint({
  ...addressParts,
  name: "addressInformation",
  proof: noProof("the index has it; accountStates proves the same, getAddressInformation of v2 at the newest block"),
  scope: within([by.account("address")]),
  summary: "An account in the form of v2.",
});

export const account = endpoint({
  ...addressParts,
  name: "account",
  proof: noProof("the index has it; accountStates proves the same, getAddressInformation of v2 at the newest block"),
  scope: within([by.account("address")]),
  summary: "The same as `addressInformation`.",
  isExtra: true,
});

export const walletInformation = endpoint({
  ...walletParts,
  name: "walletInformation",
  proof: noProof("the index has it; walletStates proves the same, getWalletInformation of v2 at the newest block"),
  scope: within([by.account("address")]),
  summary: "A wallet in the form of v2.",
});

export const wallet = endpoint({
  ...walletParts,
  name: "wallet",
  proof: noProof("the index has it; walletStates proves the same, getWalletInformation of v2 at the newest block"),
  scope: within([by.account("address")]),
  summary: "The same as `walletInformation`.",
  isExtra: true,
});

const messageBag = bocArg("body", "empty boc");

export const message = endpoint({
  name: "message",
  proof: writeProof,
  tag: "legacy",
  scope: notIndexed,
  summary: "Sends an external message and returns its hashes.",
  description: "Success means that a lite server accepted the message, not that it was executed.",
  methods: ["POST"],
  args: { boc: arg("External message, signed, as a bag of cells in base64.", needed(textArg), "signedBoc") },
  result: sentMessage,
  run: onLive((chain, { boc }) => {
    if (boc === undefined) throw refusal("bocNeeded");
    return sendMessage(chain, messageBag.decode(boc, "boc"));
  }),
});

export const runGetMethod = endpoint({
  name: "runGetMethod",
  proof: largeProof,
  tag: "legacy",
  scope: notIndexed,
  summary: "Runs a get-method on the account as it is now, or as it was.",
  description:
    "Every exit code is answered as a result. With `seqno` the account is that of the block; configuration and previous blocks are always the newest.",
  methods: ["POST"],
  statuses: [501],
  args: {
    address: arg("Address of the account.", needed(textArg), "wallet"),
    method: arg("Get-method, by name or number.", needed(textArg), { value: "seqno" }),
    stack: arg("Arguments of the method, first one first, each with its type.", stackArg, { value: [] }),
    typed: arg("Add `decoded`: the result by the names of the contract's ABI.", orElseArg(boolArg, false)),
    args: arg("Arguments by the names of the contract's ABI, instead of `stack`.", objectArg),
    abi: arg("An ABI, which is used instead of those of the contract.", abiArg),
    seqno: arg("Masterchain block at which the account is read; the newest when absent.", int32Arg),
  },
  result: methodResult,
  run: (services, args, context) =>
    onLive<typeof args, TypedOutcome>(
      async (chain, { address, method, stack, typed, args: named, abi, seqno }) => {
        if (address === undefined) throw refusal("addressNeeded");
        if (method === undefined) throw refusal("methodNeeded");
        const known = methodArg.decode(method, "method");
        const { address: target } = v2AddressArg().decode(address, "address");
        if (!typed && named === undefined)
          return (await runMethodAt(chain, target, { method: known, stack: readStack(stack) }, seqno)).outcome;
        return runTyped(services, chain, { target, method: known, stack, named, abi, seqno }, context);
      },
      () => 500,
    )(services, args, context),
});

interface TypedCall {
  readonly target: Address;
  readonly method: string | number;
  readonly stack: readonly StackEntryArg[];
  readonly named: JsonObject | undefined;
  readonly abi: Abi | undefined;
  readonly seqno: number | undefined;
}

/** Runs a method by the names of an ABI. A failed run has no result. */
async function runTyped(
  services: V3Services,
  chain: Chain,
  { target, method, named, abi, stack: given, seqno }: TypedCall,
  context: RequestContext,
): Promise<TypedOutcome> {
  const account = await getAccount(chain, target, seqno);
  const codecs = abi ? [new AbiCodec(abi)] : libraryOf(services).find(await subjectOf(chain, account));
  const budget = new AbiBudget();
  const stack = named
    ? await convertInTurns(getMethodAbi(codecs, method).inSteps(budget).encodeArgs(method, named), context)
    : readStack(given);
  const outcome = await runWithWideNumbers(stack, (wide) => runMethod(chain, account, { method, stack: wide }));
  if (!isSuccess(outcome)) return outcome;
  return { ...outcome, decoded: await convertInTurns(decodeResultBy(codecs, method, outcome.stack, budget), context) };
}

function readInit(code: string | undefined, data: string | undefined): MessageParts["init"] {
  if (code === undefined) return undefined;
  const root = (text: string, name: string) => bocArg(name, `failed to parse ${name}`).decode(text, name).root;
  return {
    code: root(code, "init_code"),
    data: data === undefined ? readBag(new Uint8Array(), "init_data") : root(data, "init_data"),
  };
}

export const estimateFee = endpoint({
  name: "estimateFee",
  proof: largeProof,
  tag: "legacy",
  scope: notIndexed,
  summary: "Estimates the fees of an external message.",
  description:
    "The message is run on the current account. `init_code` and `init_data` replace the account's code and data and are sent with the message.",
  methods: ["POST"],
  args: {
    address: arg("Address of the account.", needed(textArg), "wallet"),
    body: arg("Body of the message, as a bag of cells in base64.", needed(textArg), {
      value: "te6cckEBAQEAAgAAAEysuc0=",
    }),
    init_code: arg("Code of an account that is not deployed yet, as a bag of cells in base64.", textArg),
    init_data: arg("Data of an account that is not deployed yet, as a bag of cells in base64.", textArg),
    ignore_chksig: arg(
      "Take every signature as valid, for messages that are not signed yet.",
      orElseArg(boolArg, false),
      { value: true },
    ),
  },
  result: feeResult,
  run: onLive((chain, { address, body, init_code: code, init_data: data, ignore_chksig: ignore }) => {
    const parts = {
      address: v2AddressArg().decode(address, "address").address,
      body: bocArg("body", "failed to parse body").decode(body, "body").root,
      init: readInit(code, data),
    };
    return estimateFees(chain, { ...parts, signatures: ignore ? "ignore" : "check" });
  }),
});
