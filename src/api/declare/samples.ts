import type { EndpointArgs, Sample } from "./argument.ts";

/** What an API page puts into its fields: samples by path and argument. */
export type PageSamples = Readonly<Record<string, Readonly<Record<string, Sample>>>>;

/** The samples that the arguments of an API version declare. */
export function samplesOf(endpoints: readonly { readonly path: string; readonly args: EndpointArgs }[]): PageSamples {
  const paths = endpoints.map(({ path, args }) => {
    const declared = Object.entries(args).flatMap(([name, { sample }]) =>
      sample === undefined ? [] : [[name, sample]],
    );
    return [`/${path}`, Object.fromEntries(declared)];
  });
  return Object.fromEntries(paths);
}
