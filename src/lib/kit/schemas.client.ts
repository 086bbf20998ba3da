/*
 * In the place of `typebox`, for the client: it decodes arguments and encodes results, but checks and documents
 * nothing. Of a schema only its type is read.
 */

interface Schema {
  readonly type?: string;
}

const typed = (type: string) => (): Schema => ({ type });
const untyped = (): Schema => ({});

export const Type = {
  Array: typed("array"),
  Boolean: typed("boolean"),
  Integer: untyped,
  IsOptional: () => false,
  Literal: untyped,
  Null: untyped,
  Number: untyped,
  Object: untyped,
  Optional: (schema: Schema) => schema,
  Partial: (schema: Schema) => schema,
  Record: untyped,
  String: untyped,
  Union: untyped,
  Unknown: untyped,
};
