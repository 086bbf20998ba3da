import type { AccountNow } from "../../../chain/accounts.ts";
import type { IdentifiedContract } from "../../../chain/knownContracts.ts";
import type { PlainWallet } from "../../../contracts/families/wallet/PlainWallet.ts";
import { bool, int, omittable, text } from "../../../lib/kit/shape.ts";
import { balanceFields, type WithAccount } from "./accounts.ts";
import { balance, stateWord } from "./balances.ts";
import { contractState } from "./contracts.ts";
import { flaggedAccountAddress, int32, transactionId } from "./ids.ts";
import { typed } from "./typed.ts";
import type { FlaggedAddress } from "./utils.ts";

export interface KnownAccount extends WithAccount {
  readonly address: FlaggedAddress;
  readonly known: IdentifiedContract;
}

export const fullAccountState = typed<KnownAccount>()("fullAccountState", {
  address: flaggedAccountAddress("User-friendly address of the account.", ({ address }) => address),
  ...balanceFields,
  sync_utime: int("Time of the block of the answer, in Unix seconds.", ({ account }) => account.syncAt),
  account_state: contractState("State, in the form of the contract's type.", ({ account, known }) => ({
    account,
    contract: known.contract,
  })),
  revision: int("Revision of the wallet's code; 0 if unknown.", ({ known }) => known.revision),
});

export interface WalletAccount {
  readonly account: AccountNow;
  readonly wallet: PlainWallet | undefined;
}

export const walletInformation = typed<WalletAccount>()("ext.accounts.walletInformation", {
  wallet: bool("Whether the account is a wallet of a known version.", ({ wallet }) => wallet !== undefined),
  balance: balance("Balance, in nanocoins.", ({ account }) => account),
  account_state: stateWord("Status of the account.", ({ account }) => account),
  last_transaction_id: transactionId(
    "Last transaction of the account, by logical time and hash.",
    ({ account }) => account.lastTransaction,
  ),
  wallet_type: omittable(text)("Version of the wallet.", ({ wallet }) => wallet?.type),
  seqno: omittable(int32)("Counter of the wallet: its next message must carry it.", ({ wallet }) => wallet?.seqno),
  wallet_id: omittable(int32)("Id of the wallet, which is part of what it signs.", ({ wallet }) => wallet?.walletId),
  is_signature_allowed: omittable(bool)(
    "Whether the wallet accepts signed messages.",
    ({ wallet }) => wallet?.isSignatureAllowed,
  ),
});
