import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { type AccountNow, findCode, findData, getAccount } from "../../chain/accounts.ts";
import type { Chain } from "../../chain/Chain.ts";
import { isSuccess, runMethod } from "../../chain/run/getMethod.ts";
import { getJettonData } from "../../contracts/families/jetton/interfaces.ts";
import { getCollectionData } from "../../contracts/families/nft/interfaces.ts";
import { deployedAddress, storeAddress } from "../../contracts/kit/knownAnswer.ts";
import { type StackShape, single, stackAddress } from "../../contracts/kit/stack.ts";
import { addressValue, intValue } from "../../contracts/kit/stackValues.ts";
import { isCoded } from "../../lib/errors.ts";
import { optional } from "../../lib/kit/arg.ts";
import { bigintArg } from "../../lib/kit/basicArgs.ts";
import { bool, text } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import { Message } from "../../model/Message.ts";
import { StateInit } from "../../model/StateInit.ts";
import type { VmStack } from "../../model/vm/VmStack.ts";
import { arg } from "../declare/argument.ts";
import { runnerName } from "../declare/Caller.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { addressArg, refuse } from "../v2/args.ts";
import { rawLower } from "../v2/shapes/scalars.ts";
import { typed } from "../v2/shapes/typed.ts";
import { bagArg } from "./args.ts";
import type { LocalServices } from "./LocalServices.ts";
import { awaitControl, controlFields, type MessageOutcome } from "./postedControl.ts";

const declare = endpointsOver<LocalServices>();
const common = { tag: "tokens", isExtra: true, methods: ["POST"] } as const;

/** Coins that go with a message, for its fees. */
const forFees = 200_000_000n;
/** Coins that a collection passes on to a new item. */
const forItem = 50_000_000n;

const deployItemOp = 1;

/** What the data of a jetton has room for. */
const maxJettons = 2n ** 120n - 1n;

export const jettonAmount = arg(
  "Amount in the smallest units of the jetton.",
  bigintArg({ min: 1n, max: maxJettons }),
  { value: "1000000000" },
);

interface FundedWallet extends MessageOutcome {
  readonly wallet: Address;
  readonly isSupplyRaised: boolean;
}

const funded = typed<FundedWallet>()("localnet.fundedJettonWallet", {
  ...controlFields,
  jetton_wallet: rawLower("Address of the jetton wallet, in raw form.", ({ wallet }) => wallet),
  supply_raised: bool(
    "Whether the supply of the jetton was raised as well; not where the data of its master has another form.",
    ({ isSupplyRaised }) => isSupplyRaised,
  ),
});

const minted = typed<MessageOutcome & { readonly item: Address; readonly index: bigint }>()("localnet.mintedNft", {
  ...controlFields,
  nft_item: rawLower("Address of the item, in raw form.", ({ item }) => item),
  index: text("Index of the item in its collection.", ({ index }) => String(index)),
});

/** Controls that give tokens to anybody. */
export const tokenEndpoints = [
  declare({
    name: "fundJetton",
    ...common,
    summary: "Gives jettons of any minter to an account.",
    description:
      "In the next block the wallet of the account gets an `internal_transfer` in the name of the jetton, which deploys it if need be, and the supply in the data of the jetton is raised. A jetton of a forked network is given in the same way.",
    args: {
      address: arg("Address of the receiver.", addressArg(), "wallet"),
      jetton: arg("Address of the jetton.", addressArg(), "master"),
      amount: jettonAmount,
    },
    result: funded,
    run: (services, { address: { address: owner }, jetton: { address: jetton }, amount }, context) =>
      fundJetton(services, { owner, jetton, amount }, context),
  }),
  declare({
    name: "mintNft",
    ...common,
    summary: "Makes the next item of an NFT collection for an account.",
    description:
      "In the next block the collection gets the message of its owner that deploys an item (operation 1). A collection with other rules may refuse it: then its transaction says so.",
    args: {
      address: arg("Address of the owner of the item.", addressArg(), "wallet"),
      collection: arg("Address of the collection.", addressArg(), "collection"),
      content: arg(
        "Content of the item, as the collection stores it, as a bag of cells in base64; empty when left out.",
        optional(bagArg),
      ),
    },
    result: minted,
    run: async (services, { address: { address: owner }, collection: { address: collection }, content }, context) => {
      const mint = () => mintItem(services, { owner, collection, content }, context);
      const { posted, ...made } = await services.net.controls.turns.run(mint, { ...context, key: collection });
      return { ...(await awaitControl(posted, services.clock)), ...made };
    },
  }),
];

const ownAddress = single(stackAddress);

/** What is given to whom. */
export interface JettonGift {
  readonly owner: Address;
  readonly jetton: Address;
  readonly amount: bigint;
}

interface WantedItem {
  readonly owner: Address;
  readonly collection: Address;
  readonly content: Cell | undefined;
}

async function mintItem(
  services: LocalServices,
  { owner, collection: to, content }: WantedItem,
  context: RequestContext,
) {
  const { net } = services;
  // Before the state is read: what leaves in between is in the state.
  const waiting = net.waiting().flatMap(({ dest, cell }) => (dest === to ? mintedIndexes(cell) : []));
  const chain = openChain(services, context);
  const account = await getAccount(chain, to);
  const data = await ask(chain, account, getCollectionData.name, [], getCollectionData.result, "NFT collection");
  const index = waiting.reduce((next, each) => (each < next ? next : each + 1n), data.nextItemIndex);
  if (data.owner === undefined) throw refuse(`collection ${to} has no owner, who makes its items`);
  if (index < 0n || index >= 2n ** 64n) throw refuse(`collection ${to} does not number its items`);
  const args = [intValue(index)];
  const item = await ask(chain, account, "get_nft_address_by_index", args, ownAddress, "NFT collection");
  const body = deployItem(index, owner, content);
  const posted = net.controls.sendAs({ from: data.owner, to, value: forFees, bounce: true, body });
  return { posted, item, index };
}

/** The index of the item that a message to a collection makes, if it makes one. */
function mintedIndexes(message: Cell): readonly bigint[] {
  const body = sliceOf(loadCell(Message, message).body);
  if (body.remainingBits < 160 || body.loadUint(32) !== deployItemOp) return [];
  body.loadBigUint(64);
  return [body.loadBigUint(64)];
}

export async function fundJetton(
  services: LocalServices,
  { owner, jetton, amount }: JettonGift,
  context: RequestContext,
): Promise<FundedWallet> {
  const { net, clock } = services;
  const chain = openChain(services, context);
  const master = await getAccount(chain, jetton);
  const { totalSupply, walletCode } = await ask(chain, master, getJettonData.name, [], getJettonData.result, "jetton");
  const wallet = await ask(chain, master, "get_wallet_address", [addressValue(owner)], ownAddress, "jetton");
  const isThere = findCode(await getAccount(chain, wallet)) !== undefined;
  const init = isThere ? undefined : findInit(wallet, walletCode, owner, jetton);
  if (totalSupply + amount > maxJettons) throw refuse("the jetton cannot have so large a supply");
  const isSupplyRaised = beginsWith(findData(master), totalSupply);
  const body = internalTransfer(amount);
  const message = { from: jetton, to: wallet, value: forFees, bounce: false, body, init };
  const { controls } = net;
  const posted = isSupplyRaised ? controls.sendJettons(message, amount) : controls.sendAs(message);
  return { ...(await awaitControl(posted, clock)), wallet, isSupplyRaised };
}

function openChain({ chains }: LocalServices, { signal, caller }: RequestContext): Chain {
  return chains.open({ access: "private", signal, caller: runnerName(caller) });
}

async function ask<T>(
  chain: Chain,
  account: AccountNow,
  method: string,
  stack: VmStack,
  shape: StackShape<T>,
  what: string,
): Promise<T> {
  const outcome = await runMethod(chain, account, { method, stack });
  try {
    if (isSuccess(outcome)) return shape.read(outcome.stack);
  } catch (error) {
    if (!isCoded(error)) throw error;
  }
  throw refuse(`${account.address} is no ${what}: ${method} gives no answer of that form`);
}

/** How wallets begin, in the forms that are known: the one whose address is the wallet's. */
function findInit(wallet: Address, code: Cell, owner: Address, jetton: Address): StateInit {
  const parties = (balance: ReturnType<typeof beginCell>) => storeAddress(storeAddress(balance, owner), jetton);
  const forms = [
    parties(beginCell().storeCoins(0n)).storeRef(code),
    parties(beginCell().storeUint(0, 4).storeCoins(0n)),
    parties(beginCell().storeCoins(0n)),
  ].map((each) => each.cell());
  const data = forms.find((each) => deployedAddress(code, each) === wallet);
  if (data === undefined) {
    const advice = "send some jettons to it once, then it can be given more";
    throw refuse(`the wallet ${wallet} does not exist, and how wallets of this jetton begin is not known: ${advice}`);
  }
  return loadCell(StateInit, storeInit(code, data));
}

// _ split_depth:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(HashmapE 256
// SimpleLib)
function storeInit(code: Cell, data: Cell): Cell {
  return beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).cell();
}

/** Whether the data of a master begins with its supply, as the common forms do. */
function beginsWith(data: Cell | undefined, supply: bigint): boolean {
  try {
    return data !== undefined && sliceOf(data).loadCoins() === supply;
  } catch (error) {
    if (!isCoded(error)) throw error;
    return false;
  }
}

// internal_transfer#178d4519 query_id:uint64 amount:Coins from:MsgAddress response_address:MsgAddress
//   forward_ton_amount:Coins forward_payload:(Either Cell ^Cell)
function internalTransfer(amount: bigint): Cell {
  const nobody = 0;
  return beginCell()
    .storeUint(0x178d4519, 32)
    .storeBigUint(0n, 64)
    .storeCoins(amount)
    .storeUint(nobody, 2)
    .storeUint(nobody, 2)
    .storeCoins(0n)
    .storeBit(false)
    .cell();
}

// deploy#00000001 query_id:uint64 index:uint64 amount:Coins content:^[owner:MsgAddress content:^Cell]
function deployItem(index: bigint, owner: Address, content: Cell = beginCell().cell()): Cell {
  const item = storeAddress(beginCell(), owner).storeRef(content).cell();
  return beginCell()
    .storeUint(deployItemOp, 32)
    .storeBigUint(0n, 64)
    .storeBigUint(index, 64)
    .storeCoins(forItem)
    .storeRef(item)
    .cell();
}
