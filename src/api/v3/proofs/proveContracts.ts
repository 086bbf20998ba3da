import { readRoot } from "../../../cell/boc.ts";
import { getAccountAt } from "../../../chain/accounts.ts";
import type { Chain } from "../../../chain/Chain.ts";
import { getDomainCollections } from "../../../chain/contracts/domainCollections.ts";
import { callerAt, findContractState } from "../../../chain/contracts/tokens.ts";
import { chainAt } from "../../../chain/pinned/atBlock.ts";
import type { DetectedEntity } from "../../../contracts/detect.ts";
import { findDnsEntry } from "../../../contracts/families/dns/entry.ts";
import { multisigOrder } from "../../../contracts/families/multisig/order.ts";
import { readOrderActions } from "../../../contracts/families/multisig/orderActions.ts";
import { multisig } from "../../../contracts/families/multisig/wallet.ts";
import { nftItem } from "../../../contracts/families/nft/item.ts";
import { vesting } from "../../../contracts/families/vesting/contract.ts";
import { EntityContext } from "../../../contracts/kit/entity.ts";
import { dnsEntryEntity } from "../../../history/entities/dnsEntries.ts";
import { multisigOrderEntity } from "../../../history/entities/multisigOrders.ts";
import { multisigEntity } from "../../../history/entities/multisigs.ts";
import { vestingContractEntity } from "../../../history/entities/vestingContracts.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { readDeferred } from "../../../lib/kit/deferredJson.ts";
import { inParallel } from "../../../lib/sharing/inParallel.ts";
import { type Address, findAddress, formatRawAddress } from "../../../model/Address.ts";
import { ApiError } from "../../declare/errors.ts";
import { type ProofRule, shownProof } from "../../declare/proof.ts";
import { dnsRecord } from "../shapes/dns.ts";
import { multisigOrder as orderForm, multisig as walletForm } from "../shapes/multisig.ts";
import { vestingInfo } from "../shapes/vesting.ts";
import { type Json, rowsIn, unprovable, without } from "./transactionProof.ts";

/** The most contracts of one proof: each needs the states of several accounts. */
const maxContracts = 50;
const contractsAtOnce = 8;

type Args = Readonly<Record<string, unknown>>;

/** A contract whose get-methods ran here, at the block of the index. */
interface OpenContract {
  readonly chain: Chain;
  readonly asking: EntityContext;
  /** The account it was detected at, as rows have it. */
  readonly place: Parameters<typeof vestingContractEntity.makeRows>[1];
}

/** A list of contracts: where a row has its address, what it shows of the contract, and whether that was asked for. */
interface ContractList {
  readonly name: string;
  readonly address: string;
  /** The row; undefined if the account is no such contract. */
  readonly read: (contract: OpenContract, row: Json, args: Args) => Promise<unknown>;
  /** The values of each argument that a row must have. */
  readonly asked: Readonly<Record<string, (row: Json, args: Args) => readonly (JsonValue | undefined)[]>>;
}

/** Proves what contracts say of themselves at the newest block of the index; their get-methods run at the receiver. */
export function contractProof(list: keyof typeof lists): ProofRule {
  const { name, asked } = lists[list];
  return shownProof(async (chain, args, { result, at }) => {
    const rows = rowsIn(result, name);
    if (rows.length > maxContracts)
      throw unprovable(`a proof covers at most ${maxContracts} contracts; ask for fewer with limit`);
    const pinned = await chainAt(chain, at);
    const proved = await inParallel(rows, contractsAtOnce, async (shown) => {
      const row = await readContract(pinned, lists[list], Object(shown), args);
      for (const [arg, valuesOf] of Object.entries(asked)) checkAsked(args[arg], valuesOf(row, args));
      return row;
    });
    return { result: { [name]: proved }, isComplete: false, at: pinned.head };
  });
}

/** Which transaction was the last, an account says; the index, which was the last that it looked at. */
const indexed = ["last_transaction_lt"];

async function readContract(
  chain: Chain,
  { address: field, read }: ContractList,
  row: Json,
  args: Args,
): Promise<Json> {
  const address = findAddress(String(row[field]))?.address;
  if (address === undefined) throw unprovable("a row does not say of which account it is");
  const account = await getAccountAt(chain, address, chain.head.block);
  const state = findContractState(account);
  const contract = state && {
    chain,
    asking: new EntityContext(state, callerAt(chain, account)),
    place: { address, id: 0n, codeHash: state.codeHash, dataHash: state.data.hash(), lastTransactionLt: 0n },
  };
  const encoded = contract && (await read(contract, row, args));
  if (encoded === undefined) throw unprovable(`${formatRawAddress(address)} does not say of itself that it is this`);
  return without(readDeferred(encoded) as Json, indexed);
}

/** Texts, or addresses in a list; an empty one asks for nothing. */
function checkAsked(wanted: unknown, values: readonly (JsonValue | undefined)[]): void {
  const list = (Array.isArray(wanted) ? wanted : [wanted]).filter((each) => each !== undefined);
  const texts = list.map((each) => (findAddress(String(each)) ? formatRawAddress(each as Address) : String(each)));
  if (texts.length > 0 && !values.some((value) => texts.includes(String(value))))
    throw new ApiError("api/incomplete", `a contract of ${values[0]} was not asked for`);
}

/** The first of the rows that the index makes of an entity. */
function rowOf<R>(
  { makeRows }: { makeRows(entity: DetectedEntity, place: OpenContract["place"]): readonly R[] },
  entity: DetectedEntity | undefined,
  { place }: OpenContract,
): R | undefined {
  return entity && makeRows(entity, place)[0];
}

const field = (name: string) => (row: Json) => [row[name]];
const listIn = (row: Json, name: string) => (row[name] ?? []) as readonly JsonValue[];

const vestingList: ContractList = {
  name: "vesting_contracts",
  address: "address",
  read: async (contract) => {
    const entity = await vesting.find(contract.asking);
    const row = rowOf(vestingContractEntity, entity, contract);
    return entity && row && vestingInfo.encode({ row, whitelist: entity.whitelist.toSorted() });
  },
  asked: {
    contract_address: field("address"),
    wallet_address: (row, { check_whitelist: withWhitelist }) => [
      ...[row.owner_address, row.sender_address],
      ...(withWhitelist === true ? listIn(row, "whitelist") : []),
    ],
  },
};

const orderList: ContractList = {
  name: "orders",
  address: "address",
  read: async (contract, _row, { parse_actions: isParsed }) => {
    const row = rowOf(multisigOrderEntity, await multisigOrder.find(contract.asking), contract);
    const actions = isParsed === true && row?.orderBoc ? readOrderActions(readRoot(row.orderBoc)) : undefined;
    return row && orderForm.encode({ row, actions });
  },
  asked: { address: field("address"), multisig_address: field("multisig_address") },
};

const walletList: ContractList = {
  name: "multisigs",
  address: "address",
  read: async (contract, shown) => {
    const row = rowOf(multisigEntity, await multisig.find(contract.asking), contract);
    if (row === undefined) return undefined;
    const orders: Json[] = [];
    for (const each of listIn(shown, "orders")) {
      const order = await readContract(contract.chain, orderList, Object(each), {});
      if (order.multisig_address !== formatRawAddress(row.address))
        throw new ApiError("api/incomplete", `an order of ${order.multisig_address} was not asked for`);
      orders.push(order);
    }
    const wallet = readDeferred(walletForm.encode({ row, orders: [] })) as Json;
    return { ...wallet, orders };
  },
  asked: {
    address: field("address"),
    wallet_address: (row) => [...listIn(row, "signers"), ...listIn(row, "proposers")],
  },
};

const domainList: ContractList = {
  name: "records",
  address: "nft_item_address",
  read: async (contract) => {
    const item = await nftItem.find(contract.asking);
    const entry = item && (await findDnsEntry(item, contract.asking, await getDomainCollections(contract.chain)));
    const row = rowOf(dnsEntryEntity, entry, contract);
    return row && dnsRecord.encode(row);
  },
  asked: { domain: field("domain"), wallet: field("dns_wallet") },
};

const lists = { vesting: vestingList, orders: orderList, wallets: walletList, domains: domainList } as const;
