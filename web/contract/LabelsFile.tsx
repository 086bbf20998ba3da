import { useState } from "preact/hooks";
import { addLabels, labels } from "../browser/settings.ts";
import { formatLabels, parseLabels } from "./labelsFile.ts";

type Said = { readonly tone: "success" | "failure"; readonly text: string };

/** Saves the labels of this browser to a file, and adds those of a file. */
export function LabelsFile() {
  const [said, setSaid] = useState<Said>();
  const own = labels();
  const count = Object.keys(own).length;
  const load = async (file: File | undefined) => {
    if (file === undefined) return;
    const read = parseLabels(file.size > 4_000_000 ? "" : await file.text());
    if (typeof read === "string") return setSaid({ tone: "failure", text: read });
    addLabels(read);
    const added = Object.keys(read).length;
    setSaid({ tone: "success", text: added === 1 ? "One label is added." : `${added} labels are added.` });
  };
  return (
    <>
      <p class="small">
        {count === 0 ? (
          "You have no labels yet."
        ) : (
          <a
            href={`data:application/json;charset=utf-8,${encodeURIComponent(formatLabels(own))}`}
            download="tongate-labels.json"
          >
            Save {count} label{count === 1 ? "" : "s"} to a file
          </a>
        )}
      </p>
      <label>
        Add labels of a file
        <input
          type="file"
          accept="application/json,.json"
          onChange={({ currentTarget }) => void load(currentTarget.files?.[0])}
        />
      </label>
      {said !== undefined && (
        <p class={`small ${said.tone}`} role="status">
          <bdi>{said.text}</bdi>
        </p>
      )}
    </>
  );
}
