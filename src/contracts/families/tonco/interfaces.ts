import { contract } from "../../kit/contract.ts";

export const toncoPool = contract({
  name: "tonco_pool",
  codes: ["vJR9FjRsL9yEW3pEY4L1nIassHXiox2/qVbNDJ5UZ44="],
  methods: [
    "get_collection_data",
    "getIsActive",
    "getPoolStateAndConfiguration",
    "getChildContracts",
    "getAllTickInfos",
  ],
});

export const toncoRouter = contract({
  name: "tonco_router",
  codes: ["m5iR6qfbe+zGzN2hvZqNJdw98oF9V+SyfsAD2vgaRDk="],
  methods: ["getRouterState", "getPoolAddress", "getChildContracts"],
});
