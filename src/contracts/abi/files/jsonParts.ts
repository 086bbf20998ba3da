import type { JsonObject, JsonValue } from "../../../lib/json.ts";
import { badForm } from "../parseAbi.ts";

/** A part of a file of another compiler, with its path. */
export class JsonPart {
  readonly value: JsonValue | undefined;
  readonly path: string;

  constructor(value: JsonValue | undefined, path: string) {
    this.value = value;
    this.path = path;
  }

  /** A member; one that is missing has no value. */
  get(name: string): JsonPart {
    const object = this.object();
    const path = this.path === "" ? name : `${this.path}.${name}`;
    return new JsonPart(Object.hasOwn(object, name) ? object[name] : undefined, path);
  }

  object(): JsonObject {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw badForm(this.path, "an object is needed");
    return value as JsonObject;
  }

  /** The items of a list; none when it is missing. */
  items(): readonly JsonPart[] {
    const { value, path } = this;
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw badForm(path, "a list is needed");
    return value.map((each: JsonValue, index) => new JsonPart(each, `${path}[${index}]`));
  }

  text(): string {
    if (typeof this.value !== "string") throw badForm(this.path, "text is needed");
    return this.value;
  }

  number(): number {
    if (typeof this.value !== "number" || !Number.isSafeInteger(this.value))
      throw badForm(this.path, "a number is needed");
    return this.value;
  }

  get isMissing(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** The text, where it is one. */
  findText(): string | undefined {
    return typeof this.value === "string" ? this.value : undefined;
  }

  findNumber(): number | undefined {
    return typeof this.value === "number" ? this.value : undefined;
  }
}
