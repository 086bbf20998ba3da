import { type CodedError, isCoded } from "../../lib/errors.ts";
import { answerCoded, type ErrorTable } from "../declare/errorTable.ts";

/** An error answer of emulation. */
interface ErrorAnswer {
  readonly status: number;
  readonly text: string;
  readonly exitCode?: number | undefined;
}

const row =
  (status: number, text = ({ message }: CodedError) => message) =>
  (error: CodedError): ErrorAnswer => ({ status, text: text(error) });

const internal: ErrorAnswer = { status: 500, text: "internal error" };

/** The error answers of emulation (emulate.md §6): 400 for the request, 500 for everything else. */
const emulateErrors: ErrorTable<ErrorAnswer> = {
  kinds: { caller: row(500), remote: row(500), ours: () => internal },
  prefixes: [
    ["cell/", row(500, ({ message }) => `Can't deserialize message boc: ${message}`)],
    ["model/", row(500, ({ message }) => `Can't deserialize message boc: ${message}`)],
  ],
  codes: {
    "api/argument": row(400),
    "api/body": row(400, ({ message }) => `invalid request: ${message}`),
    "api/not-found": row(404, () => "Not Found"),
    "api/method": row(405),
    "api/url": row(400),
    "api/body-size": row(413),
    "api/url-size": row(414),
    "api/header-size": row(431),
    "api/slow-request": row(408),
    "api/key": row(401, () => "API key does not exist"),
    "api/network": row(403, () => "Network not allowed"),
    "api/limit": row(429, () => "Ratelimit exceeded"),
    "api/answer-size": row(413),
    "api/busy": row(503),
    "api/unready": row(503),
    "lib/deadline": row(504, () => "the emulation took too long"),
    "lib/aborted": row(503),
    "lite/timeout": row(504),
    "tvm/input": row(500, ({ message }) => `failed to emulate shard block: ${message}`),
    // No chain has such a transaction: a time, a state or a message of the request makes it impossible.
    "tvm/undefined": row(400, ({ message }) => `failed to emulate shard block: ${message}`),
    "chain/no-workchain": row(400),
    "chain/no-block": row(500, () => "mc block seqno is too new"),
    "chain/not-accepted": ({ data }) => ({
      status: 500,
      text: `failed to emulate shard block: EmulationExternalNotAccepted: ${data.exitCode ?? 0}`,
      exitCode: data.exitCode ?? 0,
    }),
  },
};

export function answerError(error: unknown): ErrorAnswer {
  return isCoded(error) ? answerCoded(emulateErrors, error) : internal;
}
