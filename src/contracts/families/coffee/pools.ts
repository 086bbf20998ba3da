import type { Address } from "../../../model/Address.ts";
import { between, kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, coinsOf, destinationOf, known, sourceOf } from "../../engine/messageParts.ts";
import { built, call, firstOf, type Match } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { provideWalletAddress, takeWalletAddress } from "../jetton/messages.ts";
import {
  coffeeCreatePoolCreatorRequest,
  coffeeCreatePoolForwardPayload,
  coffeeCreatePoolRequest,
  coffeeDeploy,
  coffeeDepositLiquiditySucceeded,
  coffeeNotification,
  coffeeCreatePoolBody as createPoolBody,
  coffeeCreateVaultBody as createVaultBody,
} from "./messages.ts";
import { coffeeJettonOf, lpPayout } from "./payout.ts";

interface Vault {
  readonly source: Address;
  readonly vault: Address;
  readonly asset: Address | undefined;
  readonly value: bigint;
}

export const coffeeCreateVault = kind<Vault>({
  type: "coffee_create_vault",
  showsParts: true,
  parties: (v) => ({ source: v.source, destination: v.vault }),
  details: (f) => ({
    source: f.address("Address of the sender.", (v) => v.source),
    vault: f.address("Address of the vault.", (v) => v.vault),
    asset: f.address("Address of the jetton's master; null for coins.", (v) => v.asset),
    value: f.amount("Coins that the request carries, in nanocoins.", (v) => v.value),
  }),
});

/** A vault asks the jetton's master for the address of its wallet. */
const walletTold = call(takeWalletAddress.opcode, { optional: true });
const vaultDeployed = call(coffeeDeploy, {
  child: call(provideWalletAddress.opcode, { optional: true, child: walletTold }),
});
const vaultOrdered = call(createVaultBody, { child: vaultDeployed });

export const coffeeVaultMatcher = matcher({
  name: "coffee_create_vault",
  pattern: vaultOrdered,
  build: (match) => {
    const node = match.get(vaultOrdered);
    const data = {
      source: sourceOf(node),
      vault: destinationOf(match.get(vaultDeployed)),
      asset: coffeeJettonOf(bodyOf(node, createVaultBody).asset),
      value: coinsOf(node),
    };
    return made(coffeeCreateVault, data);
  },
});

interface PoolCreator {
  readonly source: Address | undefined;
  readonly sourceWallet: Address | undefined;
  readonly recipient: Address | undefined;
  readonly contract: Address;
  readonly provided: Address | undefined;
  readonly first: Address | undefined;
  readonly second: Address | undefined;
  readonly amount: bigint;
}

export const coffeeCreatePoolCreator = kind<PoolCreator>({
  type: "coffee_create_pool_creator",
  showsParts: true,
  parties: (c) => between([c.source, c.sourceWallet], [c.recipient, c.contract]),
  details: (f) => ({
    source: f.address("Address of the sender.", (c) => c.source),
    source_jetton_wallet: f.address(
      "Address of the jetton wallet of the sender; null for coins.",
      (c) => c.sourceWallet,
    ),
    deposit_recipient: f.address("Address of the receiver of the liquidity tokens.", (c) => c.recipient),
    pool_creator_contract: f.address("Address of the contract that creates the pool.", (c) => c.contract),
    provided_asset: f.address(
      "Asset that this user provides: the address of a jetton's master, null for coins.",
      (c) => c.provided,
    ),
    asset_1: f.address("First asset: the address of a jetton's master, null for coins.", (c) => c.first),
    asset_2: f.address("Second asset: the address of a jetton's master, null for coins.", (c) => c.second),
    amount: f.amount("Amount in the smallest units of the asset.", (c) => c.amount),
  }),
});

const given = built(jettonTransfer);
const givenTon = call(createPoolBody);
const creatorDeployed = call(coffeeDeploy);
const creatorAsked = call(coffeeCreatePoolCreatorRequest, {
  parent: firstOf<TraceNode>([given, givenTon]),
  child: creatorDeployed,
});

/** One asset of a pool to be, given to the contract that waits for both. */
export const coffeePoolCreatorMatcher = matcher({
  name: "coffee_create_pool_creator",
  pattern: creatorAsked,
  build: (match) => {
    const { params, creationParams, ...provided } = readProvided(match);
    const data: PoolCreator = {
      ...provided,
      recipient: creationParams.public.recipient,
      contract: destinationOf(match.get(creatorDeployed)),
      first: coffeeJettonOf(params.first),
      second: coffeeJettonOf(params.second),
    };
    return made(coffeeCreatePoolCreator, data);
  },
});

/** The pool is described by the sender of the asset, not by the request that follows. */
function readProvided(match: Match) {
  const transfer = match.find(given)?.data;
  if (transfer !== undefined) {
    const order = known(coffeeCreatePoolForwardPayload.find(known(transfer.forwardPayload)));
    const { sender, senderWallet, asset, amount } = transfer;
    return { ...order, source: sender, sourceWallet: senderWallet, provided: asset, amount };
  }
  const node = match.get(givenTon);
  const order = bodyOf(node, createPoolBody);
  return { ...order, source: node.data.source, sourceWallet: undefined, provided: undefined };
}

interface Pool {
  readonly creator: PoolCreator;
  readonly initiators: readonly [Address | undefined, Address | undefined];
  readonly pool: Address;
  readonly assets: readonly [Address | undefined, Address | undefined];
  readonly amounts: readonly [bigint, bigint];
  readonly lpMinted: bigint;
}

export const coffeeCreatePool = kind<Pool>({
  type: "coffee_create_pool",
  showsParts: true,
  parties: (p) => between([p.creator.source, p.creator.sourceWallet], [p.pool, p.creator.contract]),
  details: (f) => ({
    source: f.address("Address of the sender.", (p) => p.creator.source),
    source_jetton_wallet: f.address(
      "Address of the jetton wallet of the sender; null for coins.",
      (p) => p.creator.sourceWallet,
    ),
    initiator_1: f.address("Address of the account that provided the first asset.", (p) => p.initiators[0]),
    initiator_2: f.address("Address of the account that provided the second asset.", (p) => p.initiators[1]),
    pool: f.address("Address of the pool.", (p) => p.pool),
    pool_creator_contract: f.address("Address of the contract that creates the pool.", (p) => p.creator.contract),
    provided_asset: f.address(
      "Asset that this user provides: the address of a jetton's master, null for coins.",
      (p) => p.creator.provided,
    ),
    amount: f.amount("Amount in the smallest units of the asset.", (p) => p.creator.amount),
    asset_1: f.address("First asset: the address of a jetton's master, null for coins.", (p) => p.assets[0]),
    asset_2: f.address("Second asset: the address of a jetton's master, null for coins.", (p) => p.assets[1]),
    amount_1: f.amount("Amount of the first asset, in its smallest units.", (p) => p.amounts[0]),
    amount_2: f.amount("Amount of the second asset, in its smallest units.", (p) => p.amounts[1]),
    lp_tokens_minted: f.amount("Amount of minted liquidity tokens, in their smallest units.", (p) => p.lpMinted),
  }),
});

/** Forwarded by the receiver of a notification; has no name in the public index. */
const notificationPassedOn = 0xb216d31f;
const succeeded = call(coffeeDepositLiquiditySucceeded);
const poolDeployed = call(coffeeDeploy, {
  children: [
    lpPayout(),
    succeeded,
    call(coffeeNotification, { optional: true, child: call(notificationPassedOn, { optional: true }) }),
  ],
});
const poolAsked = call(coffeeCreatePoolRequest, { child: poolDeployed });
const completed = built(coffeeCreatePoolCreator, { child: poolAsked });

/** The second asset creates the pool; the action shows it as the first of the two, with its own values. */
export const coffeePoolMatcher = matcher({
  name: "coffee_create_pool",
  pattern: completed,
  build: (match) => {
    const creator = match.get(completed).data;
    const { amount1, amount2, txInitiator } = bodyOf(match.get(poolAsked), coffeeCreatePoolRequest);
    const { provided, first, second } = creator;
    // An asset that is neither of the two leaves all in the order of the pool.
    const isSecond = provided !== first && provided === second;
    const data: Pool = {
      creator,
      initiators: isSecond ? [txInitiator, creator.source] : [creator.source, txInitiator],
      pool: destinationOf(match.get(poolDeployed)),
      assets: isSecond ? [second, first] : [first, second],
      amounts: isSecond ? [amount2, amount1] : [amount1, amount2],
      lpMinted: bodyOf(match.get(succeeded), coffeeDepositLiquiditySucceeded).lpAmount,
    };
    return made(coffeeCreatePool, data);
  },
});
