import type { Endpoint } from "../../src/api/declare/endpoint.ts";
import type { ProofRequest } from "../../src/api/declare/proof.ts";
import { AnswerCache } from "../../src/api/http/AnswerCache.ts";
import { makeAnswers } from "../../src/api/http/answers/Answers.ts";
import { defaultAnswerLimits } from "../../src/api/http/answers/AnswerWriter.ts";
import { CancelToken } from "../../src/api/http/answers/CancelToken.ts";
import { EndpointRunner } from "../../src/api/http/EndpointRunner.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";

/** What a server is asked. */
export interface ServedRequest<S> {
  readonly endpoint: Endpoint<S>;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Texts of JSON. */
interface ServedAnswer {
  readonly result: string;
  readonly proof: string;
}

export interface Serving<S> {
  /** One request at the server, past the cache of answers, to the text that is sent. */
  serve(request: ServedRequest<S>, proof?: ProofRequest): Promise<string>;
  /** The answer with its proof. */
  prove(request: ServedRequest<S>, proof: ProofRequest): Promise<ServedAnswer>;
}

/** Runs requests as a server does once it has read them; its cache of answers has no room. */
export function openServing<S>(services: S): Serving<S> {
  const cache = new AnswerCache({ headBytes: 0, lastingBytes: 0 }, () => 0);
  const { writer } = makeAnswers(defaultAnswerLimits, systemClock);
  const modules = { services, cache, writer, clock: systemClock, hasProofFrame: false };
  const runner = new EndpointRunner<S>({ deadlineMs: 60_000, maxWaiting: 1_000 }, modules);
  const [log, gone] = [openLog({ level: "silent" }), new CancelToken()];
  const serve: Serving<S>["serve"] = async ({ endpoint, args }, proof) => {
    const call = { id: "", caller: { kind: "open" }, log, gone: () => gone, proof } as const;
    return (await runner.run(endpoint, args, call)).encoded.pieces.join("");
  };
  const prove: Serving<S>["prove"] = async (request, proof) => {
    const [result, answer] = [await serve(request), await serve(request, proof)];
    const between = ',"proof":';
    if (!answer.startsWith(`${result}${between}`)) throw new Error(`${request.endpoint.name} answers differently`);
    return { result, proof: answer.slice(result.length + between.length) };
  };
  return { serve, prove };
}
