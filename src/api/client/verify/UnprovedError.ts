import { errorClass, errorCodes, type RoomCode, withData } from "../../../lib/errors.ts";

interface Age {
  /** By the clock of the receiver, in seconds; negative for a block of the future. */
  readonly age: number;
  readonly maxAge: number;
}

/** Why an answer is not proved. */
const verifyErrorCodes = errorCodes({
  /** The operation has no proof; the message says why. */
  "verify/not-covered": "caller",
  /** The list is empty: nothing proves that it should be. */
  "verify/empty": "remote",
  /** The stored block is of another network, or cannot be read. */
  "verify/store": "caller",
  /** The answer came without a proof. */
  "verify/no-proof": "remote",
  /** The proof is not of a form that this client knows. */
  "verify/form": "remote",
  /** The answer is that of another operation. */
  "verify/other-operation": "remote",
  /** The proof is of another network. */
  "verify/network": "remote",
  /** The proof begins at another block than the one that is trusted. */
  "verify/start": "remote",
  /** The newest block of the server is too old by the clock of the receiver. */
  "verify/old-head": withData<Age>("remote"),
  /** The server does not have the trusted block yet. */
  "verify/behind": "remote",
  /** The newest block of the server is of the future by the clock of the receiver. */
  "verify/clock": withData<Age>("caller"),
  /** Validators of too little weight signed a block. */
  "verify/weight": "remote",
  /** A signature is wrong, or of somebody who is not a validator. */
  "verify/signature": "remote",
  /** The blocks do not lead from the trusted block to the newest one. */
  "verify/head": "remote",
  /** The proof lacks an answer of a lite server. */
  "verify/missing-answer": "remote",
  /** An answer of a lite server is about another block. */
  "verify/other-block": "remote",
  /** An answer of a lite server does not prove the account. */
  "verify/other-account": "remote",
  /** An answer of a lite server does not follow from its proof. */
  "verify/answer": "remote",
  /** A list leaves something out, or has what was not asked for. */
  "verify/incomplete": "remote",
  /** The result is not the one that the proof leads to. */
  "verify/changed": "remote",
});

declare module "../../../lib/errors.ts" {
  interface ErrorRooms {
    readonly verify: typeof verifyErrorCodes;
  }
}

export type UnprovedCode = RoomCode<"verify">;

/** An answer that this client does not believe: its code says why, its message also what to do. */
export class UnprovedError<Code extends UnprovedCode = UnprovedCode> extends errorClass(verifyErrorCodes)<Code> {}
