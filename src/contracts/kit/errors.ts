import { errorClass, errorCodes, type RoomCode } from "../../lib/errors.ts";

/** The error codes of contract data. */
export const contractErrorCodes = errorCodes({
  "contracts/tag": "caller",
  "contracts/too-large": "caller",
  "contracts/text": "caller",
  "contracts/too-deep": "caller",
  /** A pattern found its messages, but their content does not fit; handled inside the classifier. */
  "contracts/no-match": "caller",
  /** A token with off-chain content without a readable URI. */
  "contracts/no-uri": "caller",
  /** A contract is not of the examined kind; handled inside detection. */
  "contracts/not-this": "caller",
  /** A trace is too large or too complex to match; handled inside the classifier. */
  "contracts/limit": "caller",
});

declare module "../../lib/errors.ts" {
  interface ErrorRooms {
    readonly contracts: typeof contractErrorCodes;
  }
}

export class ContractError<Code extends RoomCode<"contracts"> = RoomCode<"contracts">> extends errorClass(
  contractErrorCodes,
)<Code> {}
