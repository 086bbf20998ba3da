import { apiKey } from "../browser/settings.ts";
import { neutral } from "../format/neutral.ts";
import { type Ask, keyOf } from "./ask.ts";
import { learn } from "./book.ts";
import { reportReach } from "./reach.ts";

/** An error answer of the server, or no answer at all. */
export class AskError extends Error {
  override readonly name = "AskError";
  /** Zero if there was no answer. */
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** An answered request, for the panels that show it. */
export interface Answered {
  readonly status: number;
  readonly durationMs: number;
  readonly text: string;
}

const maxKept = 60;
const answereds = new Map<string, Answered>();

/** The newest answer to this request, if still cached. */
export function findAnswered(ask: Ask<unknown>): Answered | undefined {
  return answereds.get(keyOf(ask));
}

/** The newest data of this request, for a page that is opened again. */
export function findData<Answer>(ask: Ask<Answer>): Answer | undefined {
  const answered = findAnswered(ask);
  return answered?.status === 200 ? ask.read(parseSafely(answered.text)) : undefined;
}

/** Sends the request; throws AskError if the server refuses it. */
export async function run<Answer>(ask: Ask<Answer>, signal?: AbortSignal): Promise<Answer> {
  const startedAt = performance.now();
  const { status, text } = await send(ask, signal);
  keep(keyOf(ask), { status, text, durationMs: performance.now() - startedAt });
  const answer = readJson(text);
  if (status !== 200) throw new AskError(status, reasonOf(answer) ?? `the server answered with status ${status}`);
  if (answer === undefined) throw new AskError(status, "the answer is not JSON");
  learn(answer);
  return ask.read(answer);
}

async function send(ask: Ask<unknown>, signal: AbortSignal | undefined): Promise<{ status: number; text: string }> {
  const key = apiKey();
  const headers = {
    ...(ask.body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === "" ? {} : { "x-api-key": key }),
  };
  try {
    const response = await fetch(ask.path, {
      method: ask.method,
      headers,
      ...(ask.body === undefined ? {} : { body: ask.body }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = neutral(await response.text());
    reportReach(true);
    return { status: response.status, text };
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    reportReach(false);
    throw new AskError(0, "the server does not answer", { cause });
  }
}

function keep(key: string, answered: Answered): void {
  answereds.delete(key);
  answereds.set(key, answered);
  for (const oldest of answereds.keys()) {
    if (answereds.size <= maxKept) break;
    answereds.delete(oldest);
  }
}

function readJson(text: string): unknown {
  try {
    return parseSafely(text);
  } catch {
    // Proxies answer with their own pages; the status is enough.
    return undefined;
  }
}

/** Parses JSON; integers above 2^53 become text. */
export function parseSafely(text: string): unknown {
  return JSON.parse(
    text.replace(/("(?:[^"\\]|\\.)*")|(-?\d{16,})(?![\d.eE])/g, (_all, quoted, digits) => quoted ?? `"${digits}"`),
  );
}

function reasonOf(answer: unknown): string | undefined {
  const { error } = Object(answer) as { readonly error?: unknown };
  return typeof error === "string" ? error : undefined;
}
