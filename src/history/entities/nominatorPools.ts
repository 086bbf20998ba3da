import { address, addresses, amount, amounts, int4 } from "../store/schema/columns.ts";
import { keepNewest } from "../store/schema/conflictRule.ts";
import { table } from "../store/schema/Table.ts";
import { indexedEntity } from "./indexedEntity.ts";
import { stateColumns } from "./sharedColumns.ts";

/**
 * Nominator pools in their newest states. Nominators are lists of one length, so that a row replaces all of them. A
 * pool whose account was deleted or has another code keeps its last row: it lives while its last transaction is the
 * account's.
 */
export const nominatorPools = table("nominator_pools", {
  address: address,
  state: int4,
  stakeAmountSent: amount,
  validatorAmount: amount,
  validatorAddress: address,
  validatorRewardShare: int4,
  nominatorsCount: int4,
  maxNominatorsCount: int4,
  minValidatorStake: amount,
  minNominatorStake: amount,
  nominators: addresses,
  balances: amounts,
  pendingBalances: amounts,
  ...stateColumns,
});

export const nominatorPoolEntity = indexedEntity({
  table: nominatorPools,
  account: "address",
  key: ["address"],
  conflict: keepNewest("lastTransactionLt"),
  isNewIn: "table",
  rows: {
    nominatorPool: (pool, { address, codeHash, dataHash, lastTransactionLt }) => [
      {
        address,
        state: pool.state,
        stakeAmountSent: pool.stakeAmountSent,
        validatorAmount: pool.validatorAmount,
        validatorAddress: pool.validator,
        validatorRewardShare: pool.rewardShare,
        nominatorsCount: pool.nominatorsCount,
        maxNominatorsCount: pool.maxNominatorsCount,
        minValidatorStake: pool.minValidatorStake,
        minNominatorStake: pool.minNominatorStake,
        nominators: pool.nominators.map((nominator) => nominator.address),
        balances: pool.nominators.map(({ balance }) => balance),
        pendingBalances: pool.nominators.map(({ pendingBalance }) => pendingBalance),
        codeHash,
        dataHash,
        lastTransactionLt,
      },
    ],
  },
});
