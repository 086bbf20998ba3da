import { CodedError, type ErrorDetails, type ErrorKind } from "../lib/errors.ts";

/** What can be wrong with the chain's values beyond their bits. */
export const modelErrorCodes = {
  "model/address": "caller",
  "model/hash": "caller",
  "model/shard": "caller",
  "model/unknown": "caller",
  "model/value": "caller",
} as const satisfies Record<string, ErrorKind>;

export type ModelErrorCode = keyof typeof modelErrorCodes;

export class ModelError extends CodedError<ModelErrorCode> {
  constructor(code: ModelErrorCode, message: string, details?: ErrorDetails) {
    super(code, modelErrorCodes[code], message, details);
  }
}
