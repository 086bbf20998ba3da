import { getAccount } from "../../chain/accounts.ts";
import { chainProof } from "../declare/proof.ts";
import { accountArgs } from "./args.ts";
import { endpoint, untilNext } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { balance, stateWord } from "./shapes/balances.ts";

/* What needs no bags of cells, so that a page which checks balances loads nothing that writes them. */

export const getAddressBalance = endpoint({
  name: "getAddressBalance",
  proof: chainProof,
  tag: "accounts",
  summary: "Balance of an account in nanocoins.",
  args: accountArgs,
  result: balance,
  cache: untilNext,
  run: onChain((chain, { address: { address }, seqno }) => getAccount(chain, address, seqno)),
});

export const getAddressState = endpoint({
  name: "getAddressState",
  proof: chainProof,
  tag: "accounts",
  summary: "State of an account: `uninitialized`, `active` or `frozen`.",
  args: accountArgs,
  result: stateWord,
  cache: untilNext,
  run: onChain((chain, { address: { address }, seqno }) => getAccount(chain, address, seqno)),
});
