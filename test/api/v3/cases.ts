import type { V3Endpoint } from "../../../src/api/v3/list.ts";
import { abiCases } from "./cases/abis.ts";
import { accountCases } from "./cases/accounts.ts";
import { actionCases } from "./cases/actions.ts";
import { auctionCases } from "./cases/auctions.ts";
import { blockchainCases } from "./cases/blockchain.ts";
import { contractCases } from "./cases/contracts.ts";
import { decodeCases } from "./cases/decode.ts";
import { jettonCases } from "./cases/jettons.ts";
import { legacyCases } from "./cases/legacy.ts";
import { messageCases } from "./cases/messages.ts";
import { nftCases } from "./cases/nfts.ts";
import { pendingCases } from "./cases/pending.ts";
import { stakingCases } from "./cases/staking.ts";
import type { V3Case } from "./cases/V3Case.ts";
import { validatorCases } from "./cases/validators.ts";

/** The cases of every endpoint; a new endpoint without cases does not compile. */
export const cases: Readonly<Record<V3Endpoint["name"], readonly V3Case[]>> = {
  ...abiCases,
  ...accountCases,
  ...actionCases,
  ...auctionCases,
  ...blockchainCases,
  ...contractCases,
  ...decodeCases,
  ...jettonCases,
  ...legacyCases,
  ...messageCases,
  ...pendingCases,
  ...nftCases,
  ...validatorCases,
  ...stakingCases,
};
