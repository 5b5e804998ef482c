import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { CHAINS, type Chain } from '../../machines/index.ts';
import { type AddressType, CHAIN_ADDRESSING, createDeriver, type Deriver } from '../../src/wallets/index.ts';
import { prepareDerivations } from '../../src/wallets/keys/derive-public-children.ts';
import { median } from '../support/measure.ts';
import { print } from '../support/print.ts';
import { readSettings } from '../support/settings.ts';

/**
 * Addresses per second in one thread, for every coin and address type:
 *
 * - one by one: each address alone, as an HD wallet library derives it
 * - batch: a range of indices, as the service derives ahead
 * - ceiling: only the secp256k1 multiplication that every address needs
 *
 * Rounds alternate and medians are compared, because a shared machine is noisy: read the ratios.
 */

const { BENCH_ROUND_MS: ROUND_MS, BENCH_ROUNDS: ROUNDS } = readSettings(
  'Addresses derived per second, one by one and in batches, for every coin and address type.',
  { BENCH_ROUND_MS: 1_000, BENCH_ROUNDS: 3 },
);
/** As many as the service keeps ready. */
const BATCH_ADDRESSES = 400;

/** Does some work from `firstIndex` on; returns how many indices it covered. */
type Variant = (firstIndex: number) => number;

function perSecond(variant: Variant): number {
  const start = performance.now();
  let done = 0;
  while (performance.now() - start < ROUND_MS) done += variant(done);
  return done / ((performance.now() - start) / 1_000);
}

function variantsOf(deriver: Deriver): Record<'oneByOne' | 'batch', Variant> {
  return {
    oneByOne(index) {
      deriver.addressAt(index);
      return 1;
    },
    batch(firstIndex) {
      return deriver.addressesFrom(firstIndex, BATCH_ADDRESSES).length;
    },
  };
}

function measure(chain: Chain, addressType: AddressType, account: string): void {
  const deriver = createDeriver({ chain, networkKind: 'mainnet', addressType, key: account });
  const { oneByOne, batch } = variantsOf(deriver);
  const rates = { oneByOne: [] as number[], batch: [] as number[], bare: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.oneByOne.push(perSecond(oneByOne));
    rates.batch.push(perSecond(batch));
    rates.bare.push(perSecond(bareMultiplication));
  }
  const [single, many, bare] = [median(rates.oneByOne), median(rates.batch), median(rates.bare)];
  const name = `${chain} ${addressType}`.padEnd(22);
  print(
    `| ${name} | ${show(single)} | ${show(many)} | ${show(bare)} | ${(many / single).toFixed(1)} × | ${percent(many, bare)} |`,
  );
}

// Helpers

/** Full-length scalars, as hashes are: small ones would be cheaper. */
const SCALARS = Array.from(
  { length: 64 },
  () => BigInt(`0x0${randomBytes(32).toString('hex')}`) % secp256k1.Point.Fn.ORDER,
);

function bareMultiplication(index: number): number {
  secp256k1.Point.BASE.multiplyUnsafe(SCALARS[index % SCALARS.length] ?? 1n);
  return 1;
}

const show = (value: number) => Math.round(value).toLocaleString('en-US');
const percent = (value: number, base: number) => `${Math.round((100 * value) / base)} %`;

const account = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/0'/0'").publicExtendedKey;
prepareDerivations();
perSecond(bareMultiplication);
print('| coin and type | one by one | batch | bare multiplication | batch against one by one | batch against bare |');
print('|---|---|---|---|---|---|');
for (const chain of CHAINS) {
  for (const addressType of CHAIN_ADDRESSING[chain].addressTypes) measure(chain, addressType, account);
}
