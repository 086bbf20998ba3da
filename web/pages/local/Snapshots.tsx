import { useState } from "preact/hooks";
import { get, post, readEnvelope } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { Await, Empty, Panel } from "../../parts/Panel.tsx";
import { Moment } from "../../parts/values.tsx";
import { useAct } from "./acts.tsx";
import { ActionResult } from "./fields.tsx";

interface Snapshot {
  readonly name: string;
  readonly mc_seqno: number;
  readonly made_at: number;
}

const ask = get("/localnet/snapshots", undefined, readEnvelope<readonly Snapshot[]>);

/** Saves named snapshots of the chain and restores them while the server runs. */
export function Snapshots() {
  const [version, setVersion] = useState(0);
  const loaded = useAsk(ask, version);
  const [name, setName] = useState("");
  const [done, act] = useAct();
  const change = (operation: string, body: object, said: (answer: unknown) => string) =>
    act(post(`/localnet/${operation}`, body, readEnvelope<unknown>), (answer) => {
      setVersion((last) => last + 1);
      return said(answer);
    });
  const isBusy = done.kind === "working";
  return (
    <Panel title="Snapshots" from={[ask]} note="Save the chain, or go back to a saved one; the server keeps running.">
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          const given = name.trim();
          change(
            "makeSnapshot",
            given === "" ? {} : { name: given },
            (made) => `Snapshot ${(made as Snapshot).name} is made.`,
          );
          setName("");
        }}
      >
        <input
          value={name}
          aria-label="Name of the snapshot"
          placeholder="name, or none"
          spellcheck={false}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" disabled={isBusy}>
          Make a snapshot
        </button>
      </form>
      <Await of={loaded}>
        {(snapshots) =>
          snapshots.length === 0 ? (
            <Empty>There are none yet.</Empty>
          ) : (
            <ul class="rows">
              {snapshots.map((each) => (
                <Row key={each.name} snapshot={each} isBusy={isBusy} change={change} />
              ))}
            </ul>
          )
        }
      </Await>
      <ActionResult done={done} />
    </Panel>
  );
}

interface RowProps {
  readonly snapshot: Snapshot;
  readonly isBusy: boolean;
  readonly change: (operation: string, body: object, said: (answer: unknown) => string) => void;
}

/**
 * A snapshot, and what can be done with it. Nothing brings back what going back or deleting loses, so both ask first.
 */
function Row({ snapshot: { name, mc_seqno: seqno, made_at: at }, isBusy, change }: RowProps) {
  const [asked, setAsked] = useState<"restore" | "delete">();
  const confirm = () => {
    setAsked(undefined);
    if (asked === "restore") change("restoreSnapshot", { name }, () => `The chain is back at ${name}.`);
    else change("deleteSnapshot", { name }, () => `${name} is deleted.`);
  };
  return (
    <li class="line">
      <span class="fill">
        <strong>{name}</strong> block {seqno}, <Moment at={at} />
      </span>
      {asked === undefined ? (
        <>
          <button type="button" disabled={isBusy} aria-label={`Go back to ${name}`} onClick={() => setAsked("restore")}>
            Go back
          </button>
          <a href={`/localnet/exportSnapshot?name=${encodeURIComponent(name)}`} download>
            Download
          </a>
          <button
            type="button"
            class="quiet"
            disabled={isBusy}
            aria-label={`Delete ${name}`}
            onClick={() => setAsked("delete")}
          >
            Delete
          </button>
        </>
      ) : (
        <span class="line" role="alert">
          {asked === "restore" ? `All blocks after ${seqno} will be lost.` : "The snapshot will be lost."}
          <button type="button" class="primary" onClick={confirm}>
            {asked === "restore" ? `Yes, go back to ${name}` : `Yes, delete ${name}`}
          </button>
          <button type="button" onClick={() => setAsked(undefined)}>
            Cancel
          </button>
        </span>
      )}
    </li>
  );
}
