import { CodedError, type DetailArgs, type ErrorKind } from "../lib/errors.ts";

/** What can stand in the way of reading contracts. */
export const contractErrorCodes = {
  "contracts/tag": "caller",
  "contracts/too-large": "caller",
  "contracts/text": "caller",
  "contracts/too-deep": "caller",
  /** A pattern found its messages, but what they carry does not fit; never leaves the classifier. */
  "contracts/no-match": "caller",
  /** A token whose content is said to lie elsewhere, without an address that can be read. */
  "contracts/no-uri": "caller",
  /** A contract is not of the kind it was looked at as; never leaves detection. */
  "contracts/not-this": "caller",
  /** A trace is too large or too tangled to be matched; never leaves the classifier. */
  "contracts/limit": "caller",
} as const satisfies Record<string, ErrorKind>;

export type ContractErrorCode = keyof typeof contractErrorCodes;

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly contracts: typeof contractErrorCodes;
  }
}

export class ContractError<Code extends ContractErrorCode = ContractErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, contractErrorCodes[code], message, ...details);
  }
}
