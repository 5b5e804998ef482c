import { expect, test } from 'vitest';
import { createUtxoNode } from '../../../src/chains/utxo/node.ts';

test('an error shows only the start of a response of the wrong shape, however long it is', async () => {
  const response = { transactions: Array.from({ length: 10_000 }, (_, index) => `transaction ${index}`) };
  const rpc = { call: async () => response, batch: async () => [{ ok: true, result: response }] };
  const node = createUtxoNode(rpc as never, {} as never);
  const message = await node.blockHashes([7]).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(message).toMatch(/^the node's response has an unexpected shape: \{"transactions":\["transaction 0"/);
  expect(message.length).toBeLessThan(200);
});
