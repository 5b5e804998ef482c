import { describe, expect, test } from 'vitest';
import { SECOND_MS } from '../../machines/index.ts';
import { type ConnectedEvmNode, evmChain, tokenTable } from '../../src/chains/index.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { createTokenVerification } from '../../src/service/watchers/verified-tokens.ts';
import { createTestClock } from '../support/clock.ts';
import { silentLog } from '../support/silent-log.ts';

type EvmHeads = Awaited<ReturnType<ConnectedEvmNode['heads']>>;
type Problems = Awaited<ReturnType<ConnectedEvmNode['verifyTokenDecimals']>>;

const TOKENS = tokenTable('ethereum-mainnet');

function verificationOf(responses: (Problems | Error)[], heads: Partial<EvmHeads>[] = []) {
  let requested = 0;
  const clock = createTestClock();
  const latest = { height: 5, hash: '0x5', timeSeconds: clock.now() / SECOND_MS };
  const node = {
    heads: async () => ({ latest, finalizedHeight: null, isSyncing: false, ...heads.shift() }),
    async verifyTokenDecimals() {
      requested += 1;
      const response = responses.shift();
      if (response === undefined || response instanceof Error) throw response ?? new Error('asked too often');
      return response;
    },
  };
  const verified = createTokenVerification({
    params: evmChain('ethereum-mainnet'),
    tokens: TOKENS,
    setting: 'TEST_ETH_TOKENS',
    node,
    clock,
    log: silentLog,
  });
  return { verified, requested: () => requested };
}

describe('the tokens to watch', () => {
  test('are all those with a valid contract, checked once', async () => {
    const { verified, requested } = verificationOf([[]]);
    const both = await Promise.all([verified(), verified()]);
    expect(both).toEqual([
      { tokens: TOKENS, problems: [], unwatchedAssets: [] },
      { tokens: TOKENS, problems: [], unwatchedAssets: [] },
    ]);
    expect(requested()).toBe(1);
  });

  test('omit those with a problem, which is reported with the remedy', async () => {
    const { verified } = verificationOf([[{ symbol: 'DAI', contract: '0x9', message: 'DAI has 6 decimals.' }]]);
    const { tokens, problems, unwatchedAssets } = await verified();
    expect(unwatchedAssets).toEqual(['DAI']);
    expect(tokens).toEqual(TOKENS.filter(({ symbol }) => symbol !== 'DAI'));
    expect(problems).toEqual(['DAI has 6 decimals. Correct it in TEST_ETH_TOKENS.']);
  });

  test('are checked again when the network did not answer', async () => {
    const { verified, requested } = verificationOf([new RetryableError('NODE_UNREACHABLE', 'no response'), []]);
    await expect(verified()).rejects.toThrow('no response');
    expect((await verified()).tokens).toEqual(TOKENS);
    expect(requested()).toBe(2);
  });

  test.each([
    ['says that it is syncing', { isSyncing: true }],
    ['has an old head', { latest: { height: 5, hash: '0x5', timeSeconds: 1 } }],
  ])('are not rejected because of a node that %s', async (_, head) => {
    const { verified, requested } = verificationOf([[]], [head]);
    await expect(verified()).rejects.toMatchObject({ code: 'NODE_SYNCING' });
    expect(requested()).toBe(0);
    expect((await verified()).tokens).toEqual(TOKENS);
  });
});
