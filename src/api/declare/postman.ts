import type { ApiVersion } from "./ApiVersion.ts";
import type { Endpoint } from "./endpoint.ts";

type Json = Readonly<Record<string, unknown>>;

const schemaAddress = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** A collection of every operation in the Postman format 2.1, which Insomnia and others import too. */
export function makePostmanCollection<S>(version: ApiVersion<S>, origin: string): Json {
  const tags = [...new Set(version.endpoints.map(({ tag }) => tag))];
  return {
    info: { name: version.title, description: version.about, version: version.version, schema: schemaAddress },
    variable: [
      { key: "baseUrl", value: `${origin}${version.base}` },
      { key: "apiKey", value: "" },
    ],
    auth: {
      type: "apikey",
      apikey: [
        { key: "in", value: "header" },
        { key: "key", value: "X-API-Key" },
        { key: "value", value: "{{apiKey}}" },
      ],
    },
    item: tags.map((name) => ({
      name,
      item: version.endpoints.filter(({ tag }) => tag === name).map((endpoint) => describeRequest(endpoint)),
    })),
  };
}

/** One request; optional parameters are included but disabled. */
function describeRequest<S>(endpoint: Endpoint<S>): Json {
  const { name, summary, args, methods } = endpoint;
  const path = name.split("/");
  const url = { raw: `{{baseUrl}}/${name}`, host: ["{{baseUrl}}"], path };
  const entries = Object.entries(args);
  if (methods.includes("GET")) {
    const query = entries.map(([key, { required, allowed }]) => ({
      key,
      value: "",
      description: allowed,
      disabled: !required,
    }));
    return { name, request: { method: "GET", description: summary, header: [], url: { ...url, query } } };
  }
  const needed = entries.filter(([, { required }]) => required);
  const body = Object.fromEntries(needed.map(([key, { allowed }]) => [key, `<${allowed}>`]));
  const raw = JSON.stringify(body, undefined, 2);
  const header = [{ key: "Content-Type", value: "application/json" }];
  return { name, request: { method: "POST", description: summary, header, url, body: { mode: "raw", raw } } };
}
