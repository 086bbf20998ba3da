import { type LiteExchange, readLiteExchanges } from "../../../kit/lite/liteExchanges.ts";
import { fromBase64, fromHex } from "../../../src/lib/bytes.ts";
import { decodeAnswer, findServerError } from "../../../src/lite/server/LiteServer.ts";
import { decodeQuery, unwrapQuery } from "../../../src/lite/tl/queryEnvelope.ts";
import type { TlQuery } from "../../../src/lite/tl/record.ts";

/** Recorded exchanges in the repository. */
export const recordedFile = "test/fixtures/realnet/lite-answers.jsonl.gz";

/** More exchanges from both recorded networks, for tests of proofs. */
const moreFile = "test/fixtures/realnet/lite-proofs.jsonl.gz";

export function readRecorded(): readonly LiteExchange[] {
  return [recordedFile, moreFile].flatMap(readLiteExchanges);
}

export interface RecordedAnswer<Q, A> {
  readonly note: string;
  readonly args: Q;
  readonly answer: A;
}

/** The recorded answers to one query, without errors. */
export function listRecorded<Q, A>(query: TlQuery<Q, A>): RecordedAnswer<Q, A>[] {
  return readRecorded().flatMap((exchange) => {
    if (`liteServer.${exchange.group}` !== query.name || exchange.response === null) return [];
    const bytes = fromBase64(exchange.response);
    if (exchange.note === "trailing bytes" || findServerError(bytes) !== undefined) return [];
    return [{ note: exchange.note ?? "", args: argsOf(query, exchange), answer: decodeAnswer(query, bytes) }];
  });
}

/** The first recorded answer to a query that fits. */
export function findRecorded<Q, A>(
  query: TlQuery<Q, A>,
  fits: (recorded: RecordedAnswer<Q, A>) => boolean = () => true,
): RecordedAnswer<Q, A> {
  const recordedAnswer = listRecorded(query).find(fits);
  if (recordedAnswer === undefined) throw new Error(`no such answer to ${query.name} is recorded`);
  return recordedAnswer;
}

function argsOf<Q, A>(query: TlQuery<Q, A>, exchange: LiteExchange): Q {
  const decoded = decodeQuery(unwrapQuery(fromHex(exchange.request)));
  if (decoded.query.name !== query.name) throw new Error(`${exchange.group} asks ${decoded.query.name}`);
  // The name above identifies the query.
  return decoded.args as Q;
}
