import { createServer } from "node:http";
import { AppError } from "../errors.ts";

/** An address to listen on. */
export interface ListenPort {
  readonly host: string;
  readonly port: number;
}

/** The error for an address that cannot be listened on; other errors are returned unchanged. */
export function refuseAddress({ host, port }: ListenPort, cause: unknown, options = "--host or --port"): unknown {
  if (!(cause instanceof Error && "syscall" in cause)) return cause;
  const message = `cannot listen on ${host}:${port} (${cause.message}); give another ${options}`;
  return new AppError("app/listen", message, { cause });
}

/** Refuses an address that cannot be listened on, before a long start. */
export async function checkPortsFree({ host, port }: ListenPort): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject).listen({ host, port }, resolve);
    });
  } catch (cause) {
    throw refuseAddress({ host, port }, cause);
  }
  await new Promise<void>((resolve) => {
    probe.close(() => resolve());
  });
}
