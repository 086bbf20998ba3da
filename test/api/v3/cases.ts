import type { V3Endpoint } from "../../../src/api/v3/list.ts";
import { accountCases } from "./cases/accounts.ts";
import { blockchainCases } from "./cases/blockchain.ts";
import { decodeCases } from "./cases/decode.ts";
import type { V3Case } from "./cases/V3Case.ts";

/** The cases of every endpoint: the compiler asks for those of a new one. */
export const cases: Readonly<Record<V3Endpoint["name"], readonly V3Case[]>> = {
  ...accountCases,
  ...blockchainCases,
  ...decodeCases,
};
