import { contract } from "../../kit/contract.ts";

export const locker = contract({
  name: "locker",
  methods: ["get_locker_data", "get_bill_address"],
});

export const lockerBill = contract({
  name: "locker_bill",
  methods: ["get_locker_bill_data"],
});
