import { listFiles, readJson } from "../../../kit/suite/corpus.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";

/** A message in an answer of the public service. */
export interface RecordedBody {
  readonly file: string;
  /** In hex; `undefined` for bodies without an opcode. */
  readonly opcode: string | undefined;
  /** The recorded `decoded_opcode`; `undefined` in answers older than the field. */
  readonly name: string | undefined;
  readonly body: Cell;
  /** `undefined` if nothing was decoded or the answer is older than the field. */
  readonly decoded: Readonly<Record<string, unknown>> | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** All messages with a body in the recorded v3 answers, duplicates included. */
export function listRecordedBodies(folder: string): RecordedBody[] {
  const recordedBodies: RecordedBody[] = [];
  for (const sub of ["api-v3/traces", "api-v3/emulated"]) {
    for (const file of listFiles(folder, sub, ".response.json")) {
      visitObjects(readJson(folder, file), (value) => {
        const content = value.message_content;
        if (isObject(content) && typeof content.body === "string")
          recordedBodies.push(readMessage(file, value, content));
      });
    }
  }
  return recordedBodies;
}

export function listTraceBodies(folder: string): Cell[] {
  const cells: Cell[] = [];
  for (const file of listFiles(folder, "traces", ".json")) {
    visitObjects(readJson(folder, file), (value) => {
      if (typeof value.body === "string" && value.body.startsWith("te6")) cells.push(readBody(value.body));
    });
  }
  return cells;
}

function readMessage(file: string, message: Json, content: Json): RecordedBody {
  return {
    file,
    opcode: textOf(message.opcode),
    name: textOf(message.decoded_opcode),
    body: readBody(content.body as string),
    decoded: isObject(content.decoded) ? content.decoded : undefined,
  };
}

function readBody(text: string): Cell {
  return readRoot(Buffer.from(text, "base64"));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function visitObjects(value: unknown, visit: (value: Json) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visitObjects(item, visit);
  } else if (isObject(value)) {
    visit(value);
    for (const item of Object.values(value)) visitObjects(item, visit);
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
