/** How a client sends its requests. */
export interface ClientOptions {
  readonly apiKey?: string;
  /** Sends the requests; the platform's own by default. */
  readonly fetch?: typeof fetch;
}

/** The header with the key, if there is one. */
export function keyHeader(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { "x-api-key": apiKey };
}
