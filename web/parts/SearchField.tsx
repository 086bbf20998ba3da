import { useEffect, useRef } from "preact/hooks";
import { navigate } from "../browser/router.ts";

/** One search field for everything; `/` focuses it. */
export function SearchField() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", jump);
    return () => removeEventListener("keydown", jump);
  }, []);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const text = field.current?.value.trim() ?? "";
        if (text !== "") navigate(`/search?q=${encodeURIComponent(text)}`);
      }}
    >
      <input
        ref={field}
        type="search"
        name="q"
        autocomplete="off"
        spellcheck={false}
        aria-label="Search"
        placeholder="Address, name, token, comment, hash, block number, or a link of another explorer"
      />
      <button type="submit">Search</button>
    </form>
  );
}
