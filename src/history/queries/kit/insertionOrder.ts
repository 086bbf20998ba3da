import { address, int8 } from "../../store/schema/columns.ts";
import { by, type Direction, type Order } from "./Page.ts";

/** The order in which entities were first seen; the table is `t`. */
export function insertionOrder(direction: Direction): Order {
  return [by("t.id", int8, direction), by("t.address", address, direction)];
}
