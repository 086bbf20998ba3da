import { CellKind } from "../../cell/base/CellKind.ts";
import type { Cell } from "../../cell/Cell.ts";
import { libraryHash } from "../../cell/exotic.ts";
import { type DetectedEntity, detect } from "../../contracts/detect.ts";
import type { Facts } from "../../contracts/engine/Facts.ts";
import { readContractMethods } from "../../contracts/kit/contractMethods.ts";
import type { MethodCaller } from "../../contracts/kit/entity.ts";
import { isCoded } from "../../lib/errors.ts";
import type { ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { type AccountNow, getAccount } from "../accounts.ts";
import type { Chain } from "../Chain.ts";
import { isSuccess, runMethod } from "./getMethod.ts";
import { libraryFinder } from "./libraries.ts";

/** A contract that is not on the chain yet, with its detected interfaces. */
export interface DetectedContract {
  readonly codeHash: Hash;
  readonly entities: readonly DetectedEntity[];
}

export type NewContracts = ReadonlyMap<Address, DetectedContract>;

/** The largest number of new contracts of one trace that are detected: each may take a dozen runs. */
const maxContracts = 8;

/** Detects contracts that a predicted trace would deploy: no index has them. */
export async function detectNew(
  chain: Chain,
  accounts: ReadonlyMap<Address, ShardAccount>,
  deployed: Iterable<Address>,
): Promise<NewContracts> {
  const caller = callerOver(chain, accounts);
  const detectedContracts = new Map<Address, DetectedContract>();
  for (const address of [...deployed].slice(0, maxContracts)) {
    const account = accounts.get(address)?.account.load();
    const state = account?.kind === "account" ? account.storage.state : undefined;
    const { code, data } = state?.kind === "active" ? state.init : {};
    if (code === undefined || data === undefined) continue;
    const codeHash = code.hash();
    const methods = await findMethods(chain, code);
    detectedContracts.set(address, {
      codeHash,
      entities: await detect({ address, code, codeHash, data, methods }, caller),
    });
  }
  return detectedContracts;
}

/** Numbers of the methods of a code, which may be in a library. */
export async function findMethods(chain: Chain, code: Cell): Promise<readonly number[] | undefined> {
  const opened = code.kind === CellKind.library ? await libraryFinder(chain)(libraryHash(code)) : code;
  return opened === undefined ? undefined : readContractMethods(opened);
}

/** Runs get-methods on accounts after the trace, and on all others as they are. */
function callerOver(chain: Chain, accounts: ReadonlyMap<Address, ShardAccount>): MethodCaller {
  return {
    ask: async (address, method, stack) => {
      try {
        const account = findAfter(chain, address, accounts.get(address)) ?? (await getAccount(chain, address));
        const outcome = await runMethod(chain, account, { method, stack });
        return isSuccess(outcome) ? { kind: "ok", stack: outcome.stack } : { kind: "failed" };
      } catch (error) {
        // An impossible account, or code that fails, gives no answer.
        if (!isCoded(error) || !silent.has(error.code)) throw error;
        return { kind: "failed" };
      }
    },
  };
}

const silent: ReadonlySet<string> = new Set(["chain/no-workchain", "tvm/crash", "tvm/timeout", "tvm/input"]);

function findAfter(chain: Chain, address: Address, after: ShardAccount | undefined): AccountNow | undefined {
  const account = after?.account.load();
  if (after === undefined || account?.kind !== "account") return undefined;
  const { balance, state } = account.storage;
  return {
    address,
    block: chain.head.block,
    shardBlock: chain.head.block,
    syncAt: chain.head.genUtime,
    balance,
    lastTransaction: { lt: after.lastTransactionLt, hash: after.lastTransactionHash },
    content: state.kind === "active" ? { kind: "active", code: state.init.code, data: state.init.data } : state,
    storage: account.storageInfo,
    entry: undefined,
  };
}

type Kind = DetectedEntity["kind"];
type OfKind<K extends Kind> = Extract<DetectedEntity, { readonly kind: K }>;

/** Facts, with those of new contracts first. */
export function withNewContracts(facts: Facts, contracts: NewContracts): Facts {
  if (contracts.size === 0) return facts;
  const find = <K extends Kind>(address: Address, kind: K): OfKind<K> | undefined =>
    contracts.get(address)?.entities.find((entity): entity is OfKind<K> => entity.kind === kind);
  return {
    network: facts.network,
    findJettonWallet: (address) => find(address, "jettonWallet") ?? facts.findJettonWallet(address),
    findNftItem: (address) => {
      const item = find(address, "nftItem");
      if (item === undefined) return facts.findNftItem(address);
      const { uri } = item.content;
      return { ...item, contentUri: typeof uri === "string" ? uri : undefined };
    },
    findNftSale: (address) => find(address, "nftSale") ?? facts.findNftSale(address),
    findNftAuction: (address) => find(address, "nftAuction") ?? facts.findNftAuction(address),
    findMultisigOrder: (address) => find(address, "multisigOrder") ?? facts.findMultisigOrder(address),
    findDedustPool: (address) => find(address, "dedustPool") ?? facts.findDedustPool(address),
    findCodeHash: (address) => contracts.get(address)?.codeHash ?? facts.findCodeHash(address),
    findData: (address) => facts.findData(address),
    findMarketplaceName: (address) => facts.findMarketplaceName(address),
  };
}
