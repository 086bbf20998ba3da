import { expectTypeOf, it } from "vitest";
import type { Brand } from "../../src/lib/brand.ts";

type Name = Brand<string, "Name">;
type Place = Brand<string, "Place">;

it("a branded value is assignable to its base, but neither the base nor another brand to it", () => {
  expectTypeOf<Name>().toExtend<string>();
  expectTypeOf<string>().not.toExtend<Name>();
  expectTypeOf<Place>().not.toExtend<Name>();
});
