import { errorClass, errorCodes, type RoomCode } from "../lib/errors.ts";

/** The error codes of the chain's values. */
export const modelErrorCodes = errorCodes({
  "model/address": "caller",
  "model/hash": "caller",
  "model/shard": "caller",
  "model/unknown": "caller",
  "model/value": "caller",
});

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly model: typeof modelErrorCodes;
  }
}

export class ModelError<Code extends RoomCode<"model"> = RoomCode<"model">> extends errorClass(modelErrorCodes)<Code> {}
