import { declareFamily } from "../../engine/declareFamily.ts";
import { contract } from "../../kit/contract.ts";

const locker = contract({
  name: "locker",
  methods: ["get_locker_data", "get_bill_address"],
});

const lockerBill = contract({
  name: "locker_bill",
  methods: ["get_locker_bill_data"],
});

/** Lockers of coins and their bills. */
export const family = declareFamily({ interfaces: [locker, lockerBill] });
