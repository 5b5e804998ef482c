import { describe, expect, it } from 'vitest';
import { type Config, RATE_SOURCE_NAMES, ROLES } from '../../src/platform/config/index.ts';
import { liveRateSources } from '../../src/service/live-rate-sources.ts';
import { createTestClock } from '../support/clock.ts';
import { silentLog } from '../support/silent-log.ts';

const OWN = { kind: 'inline', rates: { LTC: '80' } } as const;

function sourcesOf(config: Partial<Pick<Config, 'fixedRates' | 'rateSources' | 'roles'>>) {
  return liveRateSources({
    config: { fixedRates: null, rateSources: [], roles: ROLES, ...config },
    clock: createTestClock(),
    log: silentLog,
  });
}

describe('live rate sources', () => {
  it.each([
    ['nobody', {}, []],
    ['the operator alone', { fixedRates: OWN }, ['fixed']],
    ['all public ones', { rateSources: RATE_SOURCE_NAMES }, [...RATE_SOURCE_NAMES]],
    ['some of them', { rateSources: ['ecb', 'kraken'] as const }, ['kraken', 'ecb']],
    ['both', { fixedRates: OWN, rateSources: ['ecb'] as const }, ['fixed', 'ecb']],
    [
      'the operator alone, in a process that quotes nothing',
      {
        fixedRates: OWN,
        rateSources: RATE_SOURCE_NAMES,
        roles: ['worker', 'watcher'] as const,
      },
      ['fixed'],
    ],
  ])('are %s', async (_, config, names) => {
    const live = sourcesOf(config);
    expect(live.sources.map(({ name }) => name)).toEqual(names);
    await live.close();
  });

  it('are rejected by the name of the setting when the choice cannot work', () => {
    expect(() => sourcesOf({ rateSources: ['binance', 'ecb'] })).toThrow(/^RATES_SOURCES: binance quotes in USDT/);
  });
});
