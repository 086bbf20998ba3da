import {
  type BodiesOf,
  type Body,
  type BodyFields,
  type BodyValues,
  bodies,
  body,
  type Layouts,
  quietBody,
} from "./declare.ts";
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

type QueryBodies<L extends Layouts> = BodiesOf<L, { readonly queryId: typeof queryId }>;

/** Declares the bodies of a table that begin with the id of the query. */
export function queryBodies<const L extends Layouts>(layouts: L): QueryBodies<L> {
  return bodies(layouts, queryBody) as QueryBodies<L>;
}

/** The same for bodies without a JSON form. */
export function quietQueryBodies<const L extends Layouts>(layouts: L): QueryBodies<L> {
  return bodies(layouts, quietQueryBody) as QueryBodies<L>;
}
