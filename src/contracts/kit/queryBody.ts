import { type Body, type BodyFields, type BodyValues, body, quietBody } from "./declare.ts";
import { queryId } from "./fields.ts";

type WithQueryId<F> = { readonly queryId: typeof queryId } & F;

/** Declares a body that begins with the id of the query, as most do. */
export function queryBody<F extends BodyFields = Record<never, never>>(
  name: string,
  opcode: number,
  fields?: F,
): Body<BodyValues<WithQueryId<F>>> {
  return body(name, opcode, { queryId, ...fields } as WithQueryId<F>);
}

/** The same for a body without a JSON form. */
export function quietQueryBody<F extends BodyFields = Record<never, never>>(
  name: string,
  opcode: number,
  fields?: F,
): Body<BodyValues<WithQueryId<F>>> {
  return quietBody(name, opcode, { queryId, ...fields } as WithQueryId<F>);
}
