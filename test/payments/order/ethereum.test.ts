import { describeAnyOrder } from './any-order.ts';
import { createEvmChain } from './evm-chain.ts';

describeAnyOrder('Ethereum', createEvmChain);
