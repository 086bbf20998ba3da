import type { Chain } from "../../chain/Chain.ts";
import { AbiError } from "../../contracts/abi/errors.ts";
import { isCoded } from "../../lib/errors.ts";
import type { RequestContext } from "../declare/RequestContext.ts";
import { answerError } from "../v2/errors.ts";
import { onChain } from "../v2/onChain.ts";
import { refusal } from "./args/refusals.ts";
import type { V3Services } from "./services/Services.ts";

/** Makes the `run` of an endpoint that uses the current chain; refusals are those of v2. */
export function onLive<A, R>(
  answer: (chain: Chain, args: A) => Promise<R>,
  statusOf: (status: number) => number = (status) => status,
) {
  const run = onChain(answer);
  return async ({ live }: V3Services, args: A, context: RequestContext): Promise<R> => {
    if (live === undefined) throw refusal("noV2");
    try {
      return await run(live, args, context);
    } catch (error) {
      if (!isCoded(error) || error.code === "api/refusal" || error instanceof AbiError) throw error;
      // The receiver of a proof tells its faults apart.
      if (context.proof !== undefined) throw error;
      const { status, text } = answerError(error);
      throw refusal("v2Answer", { status: statusOf(status), text });
    }
  };
}
