import { useState } from "preact/hooks";
import { get, post, readEnvelope } from "../../api/ask.ts";
import { useAsk } from "../../api/useAsk.ts";
import { Await, Empty, Panel } from "../../parts/Panel.tsx";
import { Moment } from "../../parts/values.tsx";
import { Said, useAct } from "./acts.tsx";

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
    <Panel title="Snapshots" from={[ask]} note="Keep the chain as it is now and go back to it; the server goes on.">
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
                <li class="line" key={each.name}>
                  <strong>{each.name}</strong> block {each.mc_seqno}, <Moment at={each.made_at} />
                  <button
                    type="button"
                    disabled={isBusy}
                    aria-label={`Go back to ${each.name}`}
                    onClick={() =>
                      change("restoreSnapshot", { name: each.name }, () => `The chain is back at ${each.name}.`)
                    }
                  >
                    Go back
                  </button>
                  <a href={`/localnet/exportSnapshot?name=${encodeURIComponent(each.name)}`} download>
                    Download
                  </a>
                  <button
                    type="button"
                    class="quiet"
                    disabled={isBusy}
                    aria-label={`Delete ${each.name}`}
                    onClick={() => change("deleteSnapshot", { name: each.name }, () => `${each.name} is deleted.`)}
                  >
                    Delete
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Await>
      <Said done={done} />
    </Panel>
  );
}
