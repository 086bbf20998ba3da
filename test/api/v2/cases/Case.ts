/** One request with its answer. */
export interface Case {
  readonly note: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly answer:
    | { readonly kind: "result"; readonly result: unknown }
    | { readonly kind: "error"; readonly status: number; readonly error: string };
}

/** A request with a successful answer. */
export function gives(note: string, args: Case["args"], result: unknown): Case {
  return { note, args, answer: { kind: "result", result } };
}

/** A request with an error answer. */
export function refuses(note: string, args: Case["args"], status: number, error: string): Case {
  return { note, args, answer: { kind: "error", status, error } };
}
