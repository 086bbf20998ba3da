import { Type } from "typebox";
import { objectSchema } from "../../lib/kit/shape.ts";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import type { Endpoint } from "../declare/endpoint.ts";
import { EmulateReader } from "./EmulateReader.ts";
import { emulateTonConnect, emulateTrace, limits } from "./endpoints.ts";
import { answerError } from "./errors.ts";
import type { EmulateServices } from "./Services.ts";

/** Emulation: the effect of a message before it is sent. */
export const emulateApi: ApiVersion<EmulateServices> = {
  name: "emulate",
  title: "Tongate emulation",
  about:
    "The effects of a message before it is sent: it is run with everything it causes on the current chain, or on the chain at a block. Transactions and actions are those of v3.",
  base: "/api/emulate/v1",
  version: "1.0.0",
  endpoints: [emulateTrace, emulateTonConnect, limits] as readonly Endpoint<EmulateServices>[],
  beginning: "",
  end: () => "",
  refuse: (error) => {
    const { status, text, exitCode } = answerError(error);
    const body = exitCode === undefined ? { error: text } : { error: text, exit_code: exitCode };
    return { status, body: JSON.stringify(body) };
  },
  successSchema: (result) => result,
  errorSchema: {
    ...objectSchema({
      error: ["What is wrong.", Type.String()],
      exit_code: [
        "Exit code with which the account refused the message; absent otherwise.",
        Type.Optional(Type.Integer()),
      ],
    }),
    $id: "EmulateError",
  },
  statuses: [401, 403, 429, 500, 503],
  rpcPath: undefined,
  makeReader: (args) => new EmulateReader(args),
  argHeaders: ["x-actions-version"],
  contentType: "application/json; charset=utf-8",
  isTimed: true,
  allowedHeaders: "*",
};
