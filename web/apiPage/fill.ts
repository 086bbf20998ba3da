import type { PageSamples, Sample } from "../api/types.ts";
import { type Found, findSample } from "./samples.ts";

type Json = Readonly<Record<string, unknown>>;

/** The document with a value in every field that has a sample, and none in the others. */
export function fillDocument(document: Json, samples: PageSamples, found: Found): Json {
  const paths = Object.entries(Object(document.paths) as Readonly<Record<string, Json>>).map(([path, item]) => {
    const declared = samples[path];
    // What is no endpoint, as JSON-RPC, has its example in the document.
    if (declared === undefined) return [path, item];
    const wanted = valuesOf(declared, path, found);
    const operations = Object.entries(item).map(([name, operation]) => [
      name,
      fillOperation(Object(operation), wanted),
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function valuesOf(declared: Readonly<Record<string, Sample>>, path: string, found: Found): Json {
  const values = Object.entries(declared).map(([name, sample]) => [name, readSample(sample, path, found)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function readSample(sample: Sample, path: string, found: Found): unknown {
  if (typeof sample === "string") return findSample(found, path, sample);
  if ("value" in sample) return sample.value;
  const value = findSample(found, path, sample[0]);
  return value === undefined ? undefined : [value];
}

function fillOperation(operation: Json, wanted: Json): Json {
  const parameters = operation.parameters as readonly Json[] | undefined;
  const body = operation.requestBody as Json | undefined;
  return {
    ...operation,
    ...(parameters === undefined ? {} : { parameters: parameters.map((each) => fillParameter(each, wanted)) }),
    ...(body === undefined ? {} : { requestBody: fillBody(body, wanted) }),
  };
}

/** The page uses a schema example as the value of its field, so only wanted examples stay. */
function fillParameter(parameter: Json, wanted: Json): Json {
  const { examples: _shown, example: _one, ...schema } = Object(parameter.schema) as Json;
  const items = Object(schema.items) as Json;
  const { examples: _all, example: _each, ...bare } = items;
  const plain = { ...parameter, schema: schema.items === undefined ? schema : { ...schema, items: bare } };
  const value = wanted[String(parameter.name)];
  return value === undefined ? plain : { ...plain, example: value };
}

/** The body has the arguments that are not in the path. */
function fillBody(body: Json, wanted: Json): Json {
  const content = Object.entries(Object(body.content) as Readonly<Record<string, Json>>).map(([type, each]) => {
    const fields = Object(Object(each.schema).properties) as Json;
    return [type, { ...each, example: Object.fromEntries(Object.entries(wanted).filter(([name]) => name in fields)) }];
  });
  return { ...body, content: Object.fromEntries(content) };
}
