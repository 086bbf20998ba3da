import { contract } from "../../kit/contract.ts";
import * as messages from "./messages.ts";

export const toncoPool = contract({
  name: "tonco_pool",
  receives: [
    messages.toncoPoolSwap,
    messages.toncoPoolMint,
    messages.toncoPoolFundAccount,
    messages.toncoPoolStartBurn,
    messages.toncoPoolBurn,
    messages.toncoPoolInit,
  ],
  sends: [messages.toncoRouterPayToNormal, messages.toncoAccountAddLiquidity, messages.toncoPositionNftInit],
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
  receives: [messages.toncoRouterPayToNormal, messages.toncoRouterCreatePool],
  sends: [messages.toncoPoolSwap, messages.toncoPoolFundAccount, messages.toncoPoolInit],
  codes: ["m5iR6qfbe+zGzN2hvZqNJdw98oF9V+SyfsAD2vgaRDk="],
  methods: ["getRouterState", "getPoolAddress", "getChildContracts"],
});
