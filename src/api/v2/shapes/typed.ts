import { Type } from "typebox";
import { type Field, type FieldMaker, field, type ShapeOutput, shape } from "../../../lib/kit/shape.ts";

/**
 * Declares the form of a type in v2: an object with its TL type in `@type`, which is also its name in the
 * documentation. `typed<T>()("name", fields)`.
 */
export function typed<T>() {
  return <const Name extends string, F extends Readonly<Record<string, Field<T, unknown>>>>(
    name: Name,
    fields: F,
  ): FieldMaker<T, { readonly "@type": Name } & ShapeOutput<F>> => {
    const type = field({ schema: Type.Literal(name), encode: (_whole: T): Name => name });
    const { schema, encode } = shape<T>()({
      "@type": type("TL type of the object.", (whole) => whole),
      ...fields,
    });
    return field({
      schema: { ...schema, $id: name },
      // The two parts of the encoded object, separated only for the compiler.
      encode: (whole: T) => encode(whole) as { readonly "@type": Name } & ShapeOutput<F>,
    });
  };
}
