import type { IncomingMessage } from "node:http";
import type { ByteText } from "../answers/byteText.ts";
import type { StrictRequest } from "./StrictReader.ts";

/** A strictly read request and its connection. */
export interface DirectRequest extends StrictRequest {
  readonly socket: IncomingMessage["socket"];
}

/** An answer that is complete before anything else happens. */
export interface DirectAnswer {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: ByteText;
}
