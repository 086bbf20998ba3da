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
    provider: f.fixed(provider),
    stake_holder: f.address((s) => s.holder),
    pool: f.address((s) => s.pool),
  };
}

export function stakeDeposit(provider: StakingProvider, name: string): NodeKind<Staking> {
  return kind<Staking>({
    type: "stake_deposit",
    name,
    parties: partiesOf,
    details: (f) => ({
      ...partners(f, provider),
      amount: f.amount((s) => s.amount),
      tokens_minted: f.amount((s) => s.tokensMinted),
      asset: f.address((s) => s.asset),
      source_asset: f.whenKnown(f.address((s) => s.sourceAsset)),
    }),
  });
}

export function stakeWithdrawal(provider: StakingProvider, name: string): NodeKind<Staking> {
  return kind<Staking>({
    type: "stake_withdrawal",
    name,
    parties: partiesOf,
    details: (f) => ({
      ...partners(f, provider),
      amount: f.amount((s) => s.amount),
      payout_nft: f.address((s) => s.payoutNft),
      tokens_burnt: f.amount((s) => s.tokensBurnt),
      asset: f.address((s) => s.asset),
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
      payout_nft: f.address((s) => s.payoutNft),
      asset: f.address((s) => s.asset),
      tokens_burnt: f.amount((s) => s.tokensBurnt),
      tokens_minted: f.whenKnown(f.amount((s) => s.tokensMinted)),
    }),
  });
}
