import { afterAll, describe, expect, it } from 'vitest';
import { testWalletKey } from '../../src/wallets/index.ts';
import { deriveRows } from '../../src/wallets/supply/derived-rows.ts';
import { compile } from '../support/run/compiled.ts';

// Only compiled code can start a worker.
const { createDerivationThread } = (await import(
  compile('src/wallets/supply/derivation-thread.ts')
)) as typeof import('../../src/wallets/supply/derivation-thread.ts');

const WALLET = testWalletKey('litecoin');
const RANGE = {
  derivationKeyId: 'dkey_test',
  network: 'simulated-litecoin',
  extendedPublicKey: WALLET.key,
  addressType: WALLET.addressType,
  firstIndex: 7,
  count: 3,
};

describe('the derivation thread', () => {
  const thread = createDerivationThread();
  afterAll(() => thread.close());

  it('answers every range with the same as local derivation, in any order', async () => {
    const ranges = [RANGE, { ...RANGE, firstIndex: 0, count: 1 }, { ...RANGE, firstIndex: 100, count: 5 }];
    const responses = await Promise.all(ranges.map((range) => thread.derive(range)));
    expect(responses).toEqual(ranges.map(deriveRows));
  });

  it('passes a failure on and continues', async () => {
    await expect(thread.derive({ ...RANGE, network: 'nowhere' })).rejects.toThrow('unknown network');
    expect(await thread.derive(RANGE)).toEqual(deriveRows(RANGE));
  });

  it('fails pending work when it is closed, and starts again when it is needed', async () => {
    const other = createDerivationThread();
    const inProgress = Promise.allSettled([other.derive({ ...RANGE, count: 2_000 })]);
    await other.close();
    expect(await inProgress).toMatchObject([{ status: 'rejected', reason: { code: 'DERIVATION_STOPPED' } }]);
    expect(await other.derive(RANGE)).toEqual(deriveRows(RANGE));
    await other.close();
  });
});
