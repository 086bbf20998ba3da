import type { Address } from "../../../model/Address.ts";
import type { DetailFields } from "../../engine/details.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";

/** A deposit, a withdrawal request or a withdrawal of a stake. */
export interface Staking {
  readonly holder: Address | undefined;
  readonly holderWallet?: Address | undefined;
  readonly pool: Address | undefined;
  readonly amount?: bigint | undefined;
  readonly tokensMinted?: bigint | undefined;
  readonly tokensBurnt?: bigint | undefined;
  readonly payoutNft?: Address | undefined;
  readonly asset?: Address | undefined;
  /** The deposited jetton, if it is not TON. */
  readonly sourceAsset?: Address | undefined;
}

export type StakingProvider = "nominator" | "liquid_staking" | "ethena";

function partiesOf({ holder, holderWallet, pool }: Staking) {
  return { source: holder, sourceSecondary: holderWallet, destination: pool };
}

/** The common fields of all three. */
function partners(f: Parameters<DetailFields<Staking>>[0], provider: StakingProvider) {
  return {
    provider: f.fixed("Name of the staking service.", provider),
    stake_holder: f.address("Address of the owner of the stake.", (s) => s.holder),
    pool: f.address("Address of the pool.", (s) => s.pool),
  };
}

export function stakeDeposit(provider: StakingProvider, name: string): NodeKind<Staking> {
  return kind<Staking>({
    type: "stake_deposit",
    name,
    parties: partiesOf,
    details: (f) => ({
      ...partners(f, provider),
      amount: f.amount("Staked amount, in the smallest units of the asset.", (s) => s.amount),
      tokens_minted: f.amount("Tokens of the staking service that are minted.", (s) => s.tokensMinted),
      asset: f.address("Address of the jetton's master; null for coins.", (s) => s.asset),
      source_asset: f.whenKnown(
        f.address("Asset that is staked: the address of a jetton's master, null for coins.", (s) => s.sourceAsset),
      ),
    }),
  });
}

function stakeWithdrawal(provider: StakingProvider, name: string): NodeKind<Staking> {
  return kind<Staking>({
    type: "stake_withdrawal",
    name,
    parties: partiesOf,
    details: (f) => ({
      ...partners(f, provider),
      amount: f.amount("Withdrawn amount, in the smallest units of the asset.", (s) => s.amount),
      payout_nft: f.address(
        "Address of the item that stands for a payment to come; null without one.",
        (s) => s.payoutNft,
      ),
      tokens_burnt: f.amount("Tokens of the staking service that are burnt.", (s) => s.tokensBurnt),
      asset: f.address("Address of the jetton's master; null for coins.", (s) => s.asset),
    }),
  });
}

export function stakeWithdrawalRequest(provider: StakingProvider, name: string): NodeKind<Staking> {
  return kind<Staking>({
    type: "stake_withdrawal_request",
    name,
    parties: partiesOf,
    details: (f) => ({
      ...partners(f, provider),
      payout_nft: f.address(
        "Address of the item that stands for a payment to come; null without one.",
        (s) => s.payoutNft,
      ),
      asset: f.address("Address of the jetton's master; null for coins.", (s) => s.asset),
      tokens_burnt: f.amount("Tokens of the staking service that are burnt.", (s) => s.tokensBurnt),
      tokens_minted: f.whenKnown(f.amount("Tokens of the staking service that are minted.", (s) => s.tokensMinted)),
    }),
  });
}

/**
 * Names of the nodes of a staking service. An immediate payout has the node of a request where it has none of its own.
 */
interface StakingNames {
  readonly deposit: string;
  readonly request: string;
  readonly withdrawal?: string;
}

/** The actions of a staking service. */
export function stakingActions(provider: StakingProvider, { deposit, request, withdrawal = request }: StakingNames) {
  return {
    deposit: stakeDeposit(provider, deposit),
    request: stakeWithdrawalRequest(provider, request),
    withdrawal: stakeWithdrawal(provider, withdrawal),
  };
}
