import type { IncomingMessage } from "node:http";
import { isCoded } from "../../lib/errors.ts";
import type { IpRange } from "../../lib/ip.ts";
import { clientAddress, clientName } from "../access/clientAddress.ts";
import type { AccessControl } from "../access/Gatekeeper.ts";
import type { Caller } from "../declare/Caller.ts";
import { firstOf, type QueryParams } from "../declare/requestArgs.ts";
import { answerError as answerV3Error } from "../v3/errors.ts";
import { StreamRefusal } from "./StreamRefusal.ts";

export interface EntryModules {
  readonly access: AccessControl;
  readonly trustedProxies: readonly IpRange[];
}

/** Admits a caller by its key, in any of the places where clients put it; counts as one request. */
export async function admit(
  request: IncomingMessage,
  query: QueryParams,
  { access, trustedProxies }: EntryModules,
): Promise<Caller> {
  const { headers, socket } = request;
  const forwarded = trustedProxies.length === 0 ? undefined : headers["x-forwarded-for"]?.toString();
  const name = () => clientName(clientAddress(socket.remoteAddress ?? "", forwarded, trustedProxies));
  return access.admit(findSecret(request, query), name);
}

/** The key of a caller, in any of the places where clients put it. */
function findSecret({ headers }: IncomingMessage, query: QueryParams): string | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  const secret = headers["x-api-key"]?.toString() ?? firstOf(query, "api_key") ?? firstOf(query, "token") ?? bearer;
  return secret === "" ? undefined : secret;
}

/** Returns a check whether the key of an open connection was revoked. */
export function watchKey(request: IncomingMessage, query: QueryParams, { access }: EntryModules): () => boolean {
  const secret = findSecret(request, query);
  return () => secret !== undefined && access.isRevoked?.(secret) === true;
}

/** The reason with which connections of a revoked key are closed. */
export const revokedReason = "API key does not exist";

/** The error text of a stream. */
export function refusalOf(error: unknown): { readonly status: number; readonly text: string } {
  if (error instanceof StreamRefusal) return { status: error.status, text: error.message };
  if (isCoded(error, "api/body")) return { status: 400, text: `invalid subscription request: ${error.message}` };
  return answerV3Error(error);
}
