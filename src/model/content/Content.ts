import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import type { Codec } from "../../cell/codec.ts";
import { type Dictionary, dictionary } from "../../cell/dictionary.ts";
import { hashKey } from "../../cell/keys.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { toBase64 } from "../../lib/bytes.ts";
import { isCoded } from "../../lib/errors.ts";
import { runAtOnce, type Steps } from "../../lib/sharing/steps.ts";
import { ModelError } from "../errors.ts";
import type { Hash } from "../Hash.ts";
import { findText, loadChunked, loadSnake, storeSnake } from "./Snake.ts";

/** Known attributes of tokens, by the SHA-256 of their name (TEP-64). */
export const contentKeys = {
  uri: "70e5d7b6a29b392f85076fe15ca2f2053c56c2338728c4e33c9e8ddb1ee827cc",
  name: "82a3537ff0dbce7eec35d69edc3a189ee6f17d82f353a553f9aa96cb0be3ce89",
  description: "c9046f7a37ad0ea7cee73355984fa5428982f8b37c8f7bcec91f7ac71a7cd104",
  image: "6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d",
  image_data: "d9a88ccec79eef59c84b671136a20ece4cd00caaad5bc47e2c208829154ee9e4",
  symbol: "b76a7ca153c24671658335bbd08946350ffc621fa1c516e7123095d4ffd5c581",
  decimals: "ee80fd2f1e03480e2282363596ee752d7bb27f50776b95086a0279189675923e",
  amount_style: "8b10e058ce46c44bc1ba139bc9761721e49170e2c0a176129250a70af053b700",
  render_type: "d33ae06043036d0d1c3be27201ac15ee4c73da8cdb7c8f3462ce308026095ac0",
} as const;
export type ContentName = keyof typeof contentKeys;

/** The longest value that is read, in bytes; the same limit as the reference. */
export const maxContentBytes = 8192;

/** The content of a token. Semi-chain content is on-chain content with an attribute `uri`. */
export type Content =
  | { readonly kind: "offchain"; readonly uri: string }
  | { readonly kind: "onchain"; readonly attributes: ContentAttributes };

/** Values by the hash of their name, read on demand. */
export type ContentAttributes = Dictionary<Hash, Uint8Array>;

// snake#00 data:(SnakeData ~n) = ContentData;
// chunks#01 data:ChunkedData = ContentData;
/** By TEP-64 the value is a reference to the data; many contracts store the data in the leaf itself. */
export const ContentData: Codec<Uint8Array> = {
  load: (slice) => {
    if (slice.remainingBits === 0 && slice.remainingRefs === 1) return loadData(sliceOf(slice.loadRef()));
    return loadData(slice);
  },
  store: (builder, bytes) => {
    const data = beginCell().storeUint(0, 8);
    storeSnake(data, bytes);
    builder.storeRef(data.cell());
  },
};

function loadData(slice: Slice): Uint8Array {
  const layout = slice.loadUint(8);
  if (layout > 1) throw new ModelError("model/unknown", `content data of layout ${layout}`);
  const data = layout === 0 ? loadSnake(slice, maxContentBytes) : loadChunked(slice, maxContentBytes);
  slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs);
  return data;
}

const attributes = dictionary(hashKey, ContentData);

// onchain#00 data:(HashmapE 256 ^ContentData) = FullContent;
// offchain#01 uri:Text = FullContent;
export const Content: Codec<Content> = {
  load: (slice) => {
    const layout = slice.loadUint(8);
    if (layout === 0) return { kind: "onchain", attributes: attributes.load(slice) };
    if (layout !== 1) throw new ModelError("model/unknown", `content of layout ${layout}`);
    const uri = findText(loadSnake(slice, maxContentBytes));
    if (uri === undefined) throw new ModelError("model/value", "the address of off-chain content is not UTF-8");
    return { kind: "offchain", uri };
  },
  store: (builder, content) => {
    builder.storeUint(content.kind === "onchain" ? 0 : 1, 8);
    if (content.kind === "onchain") attributes.store(builder, content.attributes);
    else storeSnake(builder, Buffer.from(content.uri, "utf8"));
  },
};

/** Reads a content cell. Some contracts append other data, so left-over bits are allowed. */
export function loadContent(cell: Cell): Content {
  return Content.load(sliceOf(cell));
}

/** The known attributes as text: `image_data` in base64, all others in UTF-8; unreadable ones are omitted. */
export function contentTexts(attributes: ContentAttributes): ReadonlyMap<ContentName, string> {
  return runAtOnce(contentTextsInSteps(attributes));
}

/** The same in steps: an attribute may be spread over a thousand cells. */
export function* contentTextsInSteps(attributes: ContentAttributes): Steps<ReadonlyMap<ContentName, string>> {
  const texts = new Map<ContentName, string>();
  for (const name of Object.keys(contentKeys) as ContentName[]) {
    const data = findAttribute(attributes, name);
    yield;
    if (data === undefined) continue;
    const text = name === "image_data" ? toBase64(data) : findText(data);
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

/** An unreadable attribute counts as absent and does not affect the others. */
function findAttribute(attributes: ContentAttributes, name: ContentName): Uint8Array | undefined {
  try {
    return attributes.find(contentKeys[name] as Hash);
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}
