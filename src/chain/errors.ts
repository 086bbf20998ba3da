import { CodedError, type DetailArgs, type ErrorKind, withData } from "../lib/errors.ts";

/** Every way in which a query about the chain as it is now can have no answer. */
export const chainErrorCodes = {
  /** An account of a workchain that the masterchain does not know. */
  "chain/no-workchain": "caller",
  /** A contract that is neither jetton nor NFT, or only says it is. */
  "chain/not-token": "caller",
  /** No transaction sent or took in the message described. */
  "chain/not-found": "caller",
  /** A masterchain block that is not there, or not yet. */
  "chain/no-block": "caller",
  /** A root cell that is no message. */
  "chain/no-message": "caller",
  /** An account that does not take a message from outside. */
  "chain/not-accepted": withData<{ exitCode: number | undefined }>("caller"),
  /** An account that is no wallet that messages can be made for. */
  "chain/no-wallet": "caller",
  /** A message that does not come from outside. */
  "chain/not-external": "caller",
  /** A proof was asked for from a masterchain block older than the one it has to lead to. */
  "chain/old-block": "caller",
  /** A get-method that was needed for the answer failed; which one is in the data. */
  "chain/method-failed": "caller",
  /** The code ended with an exit code that is no success. */
  "chain/exit-code": withData<{ exitCode: number }>("caller"),
  /** What a get-method gave is nested deeper than answers may be; the limit is in the data. */
  "chain/stack-depth": withData<{ limit: number }>("caller"),
  /** A name that is too long to be resolved. */
  "chain/name": "caller",
  /** More libraries at once than servers give. */
  "chain/too-many-libraries": "caller",
  /** A message whose fees cannot be told. */
  "chain/fees": "caller",
  /** No block is known, because no server is live. */
  "chain/no-head": "remote",
  /** The server led only a part of the way to the block, which is no proof of it. */
  "chain/half-proof": "remote",
} as const satisfies Record<string, ErrorKind>;

export type ChainErrorCode = keyof typeof chainErrorCodes;

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly chain: typeof chainErrorCodes;
  }
}

export class ChainError<Code extends ChainErrorCode = ChainErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, chainErrorCodes[code], message, ...details);
  }
}
