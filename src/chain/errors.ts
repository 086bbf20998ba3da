import { errorClass, errorCodes, isCoded, type RoomCode, withData } from "../lib/errors.ts";
import { LiteError } from "../lite/errors.ts";

/** The reasons why a query about the current chain has no answer. */
export const chainErrorCodes = errorCodes({
  /** An account of a workchain that does not exist. */
  "chain/no-workchain": "caller",
  /** A contract that is neither jetton nor NFT, or only claims to be. */
  "chain/not-token": "caller",
  /** No transaction sent or received the described message. */
  "chain/not-found": "caller",
  /** A masterchain block that does not exist, or not yet. */
  "chain/no-block": "caller",
  /** A root cell that is not a message. */
  "chain/no-message": "caller",
  /** An account that does not accept an external message. */
  "chain/not-accepted": withData<{ exitCode: number | undefined }>("caller"),
  /** An account that is not a wallet for which messages can be made. */
  "chain/no-wallet": "caller",
  /** A message that is not external. */
  "chain/not-external": "caller",
  /** A proof was requested from a masterchain block older than its target. */
  "chain/old-block": "caller",
  /** A proof that is to begin at a masterchain block after the newest one. */
  "chain/no-start": "caller",
  /** A get-method needed for the answer failed; the data names it. */
  "chain/method-failed": "caller",
  /** The code ended with an exit code that is not success. */
  "chain/exit-code": withData<{ exitCode: number }>("caller"),
  /** The result of a get-method is nested too deep; the limit is in the data. */
  "chain/stack-depth": withData<{ limit: number }>("caller"),
  /** A name that is too long to be resolved. */
  "chain/name": "caller",
  /** More libraries than servers return at once. */
  "chain/too-many-libraries": "caller",
  /** A message whose fees cannot be computed. */
  "chain/fees": "caller",
  /** No block is known, because no server works. */
  "chain/no-head": "remote",
  /** The server proved only a part of the way to the block. */
  "chain/half-proof": "remote",
});

declare module "../lib/errors.ts" {
  interface ErrorRooms {
    readonly chain: typeof chainErrorCodes;
  }
}

export class ChainError<Code extends RoomCode<"chain"> = RoomCode<"chain">> extends errorClass(chainErrorCodes)<Code> {}

/** How the message of "chain/no-start" begins when the server is behind; receivers read it. */
export const behindReceiver = "this server is behind the receiver";

/** A named part of a longer query; a server's error gets the name, so that answers can say which part failed. */
export type Step = "from-block" | "shards-at-lt";

/** Adds the step to a server's error; other errors are clear by themselves. */
export async function inStep<T>(step: Step, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isCoded(error, "lite/server")) throw error;
    throw new LiteError("lite/server", error.message, { data: { ...error.data, step }, cause: error });
  }
}
