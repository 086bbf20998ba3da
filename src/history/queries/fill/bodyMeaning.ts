import type { Cell } from "../../../cell/Cell.ts";
import { findDecodedBody, findOpcodeName } from "../../../contracts/decode.ts";
import type { JsonObject } from "../../../lib/json.ts";

/** What a body means: known names and fields. */
interface BodyMeaning {
  readonly opcodeName: string | undefined;
  readonly decoded: JsonObject | undefined;
}

/** What is known of a body. */
export function readMeaning(body: Cell, opcode: number | undefined): BodyMeaning {
  return {
    opcodeName: opcode === undefined ? undefined : findOpcodeName(opcode),
    decoded: findDecodedBody(body),
  };
}
