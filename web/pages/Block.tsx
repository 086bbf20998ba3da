import { useMemo, useState } from "preact/hooks";
import { v2, v3 } from "../api/ask.ts";
import { checkBy, liteId } from "../api/check.ts";
import type { Block as BlockData, BlockId } from "../api/types.ts";
import { useAsk } from "../api/useAsk.ts";
import { useErrorWords } from "../api/useErrorWords.ts";
import { href } from "../browser/router.ts";
import { base64ToBytes } from "../format/bytes.ts";
import { formatCount } from "../format/coins.ts";
import { CellTree } from "../parts/CellTree.tsx";
import { Pager } from "../parts/Pager.tsx";
import { Await, Empty, Facts, Panel } from "../parts/Panel.tsx";
import { Badge, BlockLink, blockPath, HashText, Moment } from "../parts/values.tsx";
import { TransactionList } from "../trace/TransactionList.tsx";
import type { PageProps } from "./PageProps.ts";

const size = 30;

/** One block: its header, its neighbours, its transactions. */
export function Block({ params: [workchain = "0", shard = "", seqno = "0"] }: PageProps) {
  const id = { workchain: Number(workchain), shard: shard.toUpperCase(), seqno: Number(seqno) };
  const ask = v3("blocks", { ...id, limit: 1 });
  const loaded = useAsk(ask);
  const isMissing = loaded.kind === "ok" && loaded.data.blocks.length === 0;
  return (
    <>
      <h1>
        {id.workchain === -1 ? "Masterchain block " : "Shard block "}
        <span class="number">{formatCount(id.seqno)}</span>
      </h1>
      {isMissing && <Missing id={id} />}
      {!isMissing && (
        <Panel
          title="Header"
          from={[ask]}
          note={<Neighbours id={id} />}
          check={loaded.kind === "ok" ? checkOf(id, loaded.data.blocks[0]) : undefined}
        >
          <Await of={loaded}>{({ blocks: [block] }) => block !== undefined && <Header block={block} />}</Await>
        </Panel>
      )}
      {loaded.kind === "ok" && !isMissing && (
        <>
          {id.workchain === -1 && <Shards seqno={id.seqno} />}
          <Transactions id={id} />
          <RawBlock id={id} />
          <RawHeader id={id} />
        </>
      )}
    </>
  );
}

function checkOf(id: BlockId, block: BlockData | undefined) {
  return checkBy("getBlockHeader", liteId(id), ({ id: { root_hash, file_hash }, ...header }) => [
    ["the root hash", block?.root_hash, root_hash],
    ["the file hash", block?.file_hash, file_hash],
    ["the time", block?.gen_utime, header.gen_utime],
    ["the logical time", block?.end_lt, header.end_lt],
  ]);
}

/**
 * One sentence instead of panels that are all empty: the block is not made yet, was never made, or is older than the
 * index.
 */
function Missing({ id }: { readonly id: BlockId }) {
  const ask = v3("masterchainInfo");
  const ends = useAsk(ask);
  const { last, first } = ends.kind === "ok" ? ends.data : {};
  return (
    <Panel title="No such block" from={[ask]}>
      <p>
        The index has no block <code>{`(${id.workchain},${id.shard},${id.seqno})`}</code>.{" "}
        {first !== undefined && last !== undefined && (
          <>
            It has the masterchain blocks from <BlockLink block={first} /> to <BlockLink block={last} />.
          </>
        )}
      </p>
    </Panel>
  );
}

function Neighbours({ id }: { readonly id: BlockId }) {
  return (
    <>
      {id.seqno > 0 && <a href={href(blockPath({ ...id, seqno: id.seqno - 1 }))}>Previous</a>}{" "}
      <a href={href(blockPath({ ...id, seqno: id.seqno + 1 }))}>Next</a>
    </>
  );
}

const flags = [
  ["key_block", "key block: it may change the configuration"],
  ["after_merge", "after a merge of two shards"],
  ["after_split", "after a split of a shard"],
  ["before_split", "before a split"],
  ["want_split", "asks for a split"],
  ["want_merge", "asks for a merge"],
] as const;

function Header({ block }: { readonly block: BlockData }) {
  const set = flags.filter(([name]) => block[name]);
  return (
    <Facts
      facts={[
        ["Time", <Moment key="time" at={block.gen_utime} />],
        ["Transactions", formatCount(block.tx_count)],
        [
          "Shard",
          <code key="shard">{`${block.workchain}:${block.shard}`}</code>,
          "Workchain and the part of its accounts",
        ],
        ["Previous", block.prev_blocks.map((each) => <BlockLink key={each.shard} block={each} />)],
        block.workchain !== -1 && ["Committed by", <BlockLink key="mc" block={block.masterchain_block_ref} />],
        ["Logical time", <span key="lt" class="number">{`${block.start_lt} to ${block.end_lt}`}</span>],
        set.length > 0 && ["Marks", set.map(([name, text]) => <Badge key={name}>{text}</Badge>)],
        ["Root hash", <HashText key="root" hash={block.root_hash} isFull />],
        ["File hash", <HashText key="file" hash={block.file_hash} isFull />],
        ["Made by", <HashText key="by" hash={block.created_by} />, "Public key of the validator"],
        ["Network id", String(block.global_id)],
        block.workchain === -1 && [
          "Configuration",
          <a key="config" href={href(`/config/${block.seqno}`)}>
            as of this block
          </a>,
        ],
      ]}
    />
  );
}

function Shards({ seqno }: { readonly seqno: number }) {
  const ask = v3("masterchainBlockShards", { seqno, limit: 100 });
  const loaded = useAsk(ask);
  return (
    <Panel title="Shard blocks" from={[ask]} note="Blocks of the workchains that this block commits.">
      <Await of={loaded}>
        {({ blocks }) => {
          const shards = blocks.filter(({ workchain }) => workchain !== -1);
          return shards.length === 0 ? (
            <Empty>None.</Empty>
          ) : (
            <ul class="rows">
              {shards.map((block) => (
                <li key={block.root_hash}>
                  <BlockLink block={block} />
                  <span class="aside">{block.tx_count} transactions</span>
                </li>
              ))}
            </ul>
          );
        }}
      </Await>
    </Panel>
  );
}

function Transactions({ id }: { readonly id: BlockId }) {
  const [offset, setOffset] = useState(0);
  const ask = v3("transactions", { ...id, limit: size, offset, sort: "asc" });
  const loaded = useAsk(ask);
  const words = useErrorWords(loaded.kind === "ok" ? loaded.data.transactions : []);
  return (
    <Panel title="Transactions" from={[ask, ...words]}>
      <Await of={loaded}>
        {({ transactions }) => (
          <>
            {transactions.length === 0 ? (
              <Empty>This block has none.</Empty>
            ) : (
              <TransactionList transactions={transactions} />
            )}
            <Pager offset={offset} size={size} count={transactions.length} onMove={setOffset} />
          </>
        )}
      </Await>
    </Panel>
  );
}

/** The block as its file, to keep or to look into. */
function RawBlock({ id }: { readonly id: BlockId }) {
  const [isWanted, setWanted] = useState(false);
  const ask = v2("getRawBlock", liteId(id));
  const loaded = useAsk(isWanted ? ask : undefined);
  return (
    <Panel title="Whole block" from={[ask]} note="The file that validators signed: a bag of cells.">
      {!isWanted && (
        <button type="button" onClick={() => setWanted(true)}>
          Get the block
        </button>
      )}
      <Await of={loaded}>{({ bytes }) => <BlockFile id={id} boc={bytes} />}</Await>
    </Panel>
  );
}

function BlockFile({ id, boc }: { readonly id: BlockId; readonly boc: string }) {
  const bytes = useMemo(() => base64ToBytes(boc), [boc]);
  const name = `block_${id.workchain}_${id.shard}_${id.seqno}.boc`;
  return (
    <>
      <p>
        {bytes !== undefined && (
          <a href={`data:application/octet-stream;base64,${boc}`} download={name}>
            Download {name}
          </a>
        )}{" "}
        <span class="muted">{formatCount(bytes?.length ?? 0)} bytes</span>
      </p>
      <CellTree boc={boc} />
    </>
  );
}

/** The header from a lite server. */
function RawHeader({ id }: { readonly id: BlockId }) {
  const [isOpen, setOpen] = useState(false);
  const ask = v2("getBlockHeader", liteId(id));
  const loaded = useAsk(isOpen ? ask : undefined);
  return (
    <Panel title="Header from the lite server" from={[ask]}>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>All fields</summary>
        <Await of={loaded}>
          {(header) => (
            <pre tabIndex={0} class="decoded">
              {JSON.stringify(header, null, 2)}
            </pre>
          )}
        </Await>
      </details>
    </Panel>
  );
}
