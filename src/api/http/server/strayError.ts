import type { IncomingMessage } from "node:http";
import { ApiError } from "../../declare/errors.ts";
import type { ServedVersion } from "../ServedVersion.ts";

/** The paths of an API version with their methods. */
export function knownMethods({ routes, rpcPath }: ServedVersion): (path: string) => readonly string[] | undefined {
  const known = new Map<string, string[]>(rpcPath === undefined ? [] : [[rpcPath, ["POST"]]]);
  for (const { path, methods } of routes) known.set(`/${path}`, [...(known.get(`/${path}`) ?? []), ...methods]);
  const patterns = [...known].map(
    ([path, methods]) => [new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`), methods] as const,
  );
  return (path) => known.get(path) ?? patterns.find(([pattern]) => pattern.test(path))?.[1];
}

/** Why no route matched below the base: no such path, or another method. */
export function strayError(known: ReturnType<typeof knownMethods>, base: string, request: IncomingMessage): ApiError {
  const { url = "", method = "" } = request;
  const path = url
    .slice(base.length)
    .replace(/\?.*$/s, "")
    .replace(/(.)\/$/, "$1");
  const allowed = known(path);
  return allowed === undefined
    ? new ApiError("api/not-found", `no such path: ${url.slice(0, 200)}`)
    : new ApiError("api/method", `method ${method} is not supported`, {
        data: { method, allowed: allowed.join(", ") },
      });
}
