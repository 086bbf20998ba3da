import type { Arg } from "../../lib/kit/arg.ts";

/** What an API page finds on its network: accounts of a kind, parts of one transaction, and freshly signed messages. */
export type SampleName =
  | "seqno"
  | "utime"
  | "wallet"
  | "master"
  | "collection"
  | "sale"
  | "resolver"
  | "multisig"
  | "vesting"
  | "pool"
  | "nominator"
  | "validator"
  | "bidder"
  | "domain"
  | "account"
  | "hash"
  | "lt"
  | "trace"
  | "blockWorkchain"
  | "blockShard"
  | "blockSeqno"
  | "message"
  | "source"
  | "destination"
  | "createdLt"
  | "body"
  | "opcode"
  /** An internal message between wallets, by its fields; the messages of a wallet. */
  | "transfer"
  | "orders"
  /** The wallet whose message the page of v3 has ready to send. */
  | "pendingWallet"
  /** Parts of a message that is signed for the operation alone, so that all operations of a page can be tried. */
  | "signedFrom"
  | "signedBoc"
  | "signedBody"
  | "signedCode"
  | "signedData"
  | "signedBodyTree"
  | "signedCodeTree"
  | "signedDataTree";

/** What an API page puts into the field of an argument: a value that it finds, a list of one, or a fixed value. */
export type Sample = SampleName | readonly [SampleName] | { readonly value: unknown };

/** An argument of an endpoint. One that must be given has a sample, so that the API page can be tried at once. */
export type EndpointArg<T> = Arg<T> & {
  /** A sentence for the documentation: what the argument means. */
  readonly description: string;
  readonly sample?: Sample;
} & ({ readonly required: false } | { readonly sample: Sample });

/** The arguments of an endpoint by name. */
export type EndpointArgs = Readonly<Record<string, EndpointArg<unknown>>>;

/** The argument with what it means, and with its sample; one that may be omitted needs none. */
export function arg<A extends Arg<unknown>>(description: string, form: A): A & { readonly description: string };
export function arg<A extends Arg<unknown>>(
  description: string,
  form: A,
  sample: Sample,
): A & { readonly description: string; readonly sample: Sample };
export function arg<A extends Arg<unknown>>(description: string, form: A, sample?: Sample) {
  return { ...form, description, ...(sample === undefined ? {} : { sample }) };
}

/** The same argument with another sample. */
export function sampled<A extends EndpointArg<unknown>>(form: A, sample: Sample): A & { readonly sample: Sample } {
  return { ...form, sample };
}

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
