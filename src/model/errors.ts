import { CodedError, type DetailArgs, type ErrorKind } from "../lib/errors.ts";

/** The error codes of the chain's values. */
export const modelErrorCodes = {
  "model/address": "caller",
  "model/hash": "caller",
  "model/shard": "caller",
  "model/unknown": "caller",
  "model/value": "caller",
} as const satisfies Record<string, ErrorKind>;

export type ModelErrorCode = keyof typeof modelErrorCodes;

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly model: typeof modelErrorCodes;
  }
}

export class ModelError<Code extends ModelErrorCode = ModelErrorCode> extends CodedError<Code> {
  constructor(code: Code, message: string, ...details: DetailArgs<Code>) {
    super(code, modelErrorCodes[code], message, ...details);
  }
}
