import type { AnyCodedError, CodedError, ErrorCode, ErrorKind } from "../../lib/errors.ts";

/**
 * How an API version answers errors. The kind of a code gives the default answer; `codes` and `prefixes` list the
 * exceptions.
 */
export interface ErrorTable<Answer> {
  readonly codes: { readonly [Code in ErrorCode]?: (error: CodedError<Code>) => Answer };
  /** By the prefix of a code, longer prefixes first. */
  readonly prefixes: readonly (readonly [prefix: string, answer: (error: CodedError) => Answer])[];
  readonly kinds: Readonly<Record<ErrorKind, (error: CodedError) => Answer>>;
}

/** The answer for a coded error: by its code, its prefix or its kind. */
export function answerCoded<Answer>(table: ErrorTable<Answer>, error: AnyCodedError): Answer {
  // The row under a code takes errors of that code; the compiler cannot relate the two lookups.
  const row = Object.hasOwn(table.codes, error.code)
    ? (table.codes[error.code] as ((error: CodedError) => Answer) | undefined)
    : undefined;
  return (row ?? defaultAnswer(table, error))(error);
}

/** The answer for an error whose code is not in the table. */
export function defaultAnswer<Answer>(
  table: ErrorTable<Answer>,
  { code, kind }: CodedError,
): (error: CodedError) => Answer {
  return table.prefixes.find(([prefix]) => code.startsWith(prefix))?.[1] ?? table.kinds[kind];
}
