import { randomBytes, randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allocateAddresses, parseExtendedKey, registerDerivationKey, skipAddresses } from '../../src/wallets/index.ts';
import { deriveAhead } from '../../src/wallets/supply/derive-ahead.ts';
import { type DerivationRange, deriveRows } from '../../src/wallets/supply/derived-rows.ts';
import { describeDatabases, type TestDatabase } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';

type Db = TestDatabase['db'];

/**
 * A payment takes addresses, a skip, or the service deriving ahead; each for that many addresses.
 */
const step = fc.tuple(fc.constantFrom('take', 'skip', 'derive ahead'), fc.integer({ min: 1, max: 6 }));

describeDatabases('skipped addresses', (database) => {
  const db = () => database().db;

  it('are never allocated, whatever was derived before, and the ones around them are, in order', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const key = await newKey(db());
        let next = 0;
        for (const [what, count] of steps) {
          if (what === 'derive ahead') {
            const derive = async (range: DerivationRange) => deriveRows(range);
            await deriveAhead(db(), key, { ahead: count, derive });
            continue;
          }
          const expected = Array.from({ length: count }, (_, index) => next + index);
          if (what === 'take') expect(await take(db(), key, count)).toEqual(expected);
          else expect(await skip(db(), key, count)).toBe(expected.at(-1));
          next += count;
        }
        expect(await take(db(), key, 1)).toEqual([next]);
      }),
      { numRuns: level.runs(database().kind === 'postgres' ? 25 : 10) },
    );
  });

  it('never overlap with addresses that are allocated at the same moment', async () => {
    const key = await newKey(db());
    const [taken, last] = await Promise.all([take(db(), key, 5), skip(db(), key, 5)]);
    const rows = await db()
      .selectFrom('address')
      .select(['derivation_index', 'transaction_id'])
      .where('derivation_key_id', '=', key)
      .where('taken_at', 'is not', null)
      .execute();
    expect(rows).toHaveLength(10);
    expect(last).toBeGreaterThanOrEqual(4);
    const skipped = rows.filter((row) => row.transaction_id === null).map((row) => row.derivation_index);
    expect(skipped).toHaveLength(5);
    expect(taken.filter((index) => skipped.includes(index))).toEqual([]);
  });
});

// Helpers

function newKey(db: Db): Promise<string> {
  const key = HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/2'/0'").publicExtendedKey;
  const walletKey = parseExtendedKey({ chain: 'litecoin', networkKind: 'mainnet', key, addressType: 'p2wpkh' });
  return registerDerivationKey(db, {
    network: 'litecoin-mainnet',
    mode: 'live',
    walletKey,
    fingerprint: walletKey.keyId,
  });
}

async function take(db: Db, derivationKeyId: string, count: number): Promise<number[]> {
  const requests = Array.from({ length: count }, () => ({ derivationKeyId, transactionId: randomUUID() }));
  const taken = await db.transaction().execute((trx) => allocateAddresses(trx, requests));
  return taken.map(({ derivationIndex }) => derivationIndex);
}

function skip(db: Db, derivationKeyId: string, count: number): Promise<number> {
  return db.transaction().execute((trx) => skipAddresses(trx, derivationKeyId, count));
}
