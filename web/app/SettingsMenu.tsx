import { useState } from "preact/hooks";
import { applyTheme } from "../browser/applyTheme.ts";
import { apiKey, keepTheme, setApiKey, type Theme, theme } from "../browser/settings.ts";
import { later } from "../parts/later.tsx";

const themes: readonly (readonly [Theme, string])[] = [
  ["auto", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

const LabelsFile = later(() => import("../contract/LabelsFile.tsx").then((module) => module.LabelsFile));

/** Settings of this browser: the theme, the API key and labels. */
export function SettingsMenu() {
  const [chosen, setChosen] = useState<Theme>(theme());
  const [key, setKey] = useState(apiKey());
  const [isShown, setShown] = useState(false);
  return (
    <details class="settings">
      <summary>Settings</summary>
      <div class="menu">
        <label>
          Look
          <select
            value={chosen}
            onChange={({ currentTarget }) => {
              const next = themes.find(([id]) => id === currentTarget.value)?.[0] ?? "auto";
              setChosen(next);
              keepTheme(next);
              applyTheme();
            }}
          >
            {themes.map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          API key
          <input
            type="password"
            value={key}
            autocomplete="off"
            placeholder="none"
            onInput={({ currentTarget }) => {
              setKey(currentTarget.value);
              setApiKey(currentTarget.value);
            }}
          />
        </label>
        <p class="small muted">The key stays in this tab and goes to this server only.</p>
        {isShown ? (
          <LabelsFile />
        ) : (
          <button type="button" onClick={() => setShown(true)}>
            Your labels as a file
          </button>
        )}
      </div>
    </details>
  );
}
