import { describeAnyOrder } from './any-order.ts';
import { createUtxoChain } from './utxo-chain.ts';

describeAnyOrder('Litecoin', createUtxoChain);
