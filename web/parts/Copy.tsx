import { useEffect, useState } from "preact/hooks";
import { copyText } from "../browser/copyText.ts";

/** Copies a text and confirms it. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1_200);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <button
      type="button"
      class="copy"
      aria-label={isDone ? `${what} copied` : `Copy ${what}`}
      title={isDone ? "Copied" : `Copy ${what}`}
      onClick={() => void copyText(text).then(() => setDone(true))}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {isDone ? <path d="M3 8.5l3.2 3.2L13 5" /> : <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />}
      </svg>
    </button>
  );
}
