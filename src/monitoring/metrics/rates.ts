import { Gauge, type Registry } from 'prom-client';
import { ASSETS, type CryptoSymbol } from '../../../machines/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Rates } from '../../rates/index.ts';

export interface RatesSource {
  readonly rates: Pick<Rates, 'forMode' | 'status'>;
  readonly clock: Clock;
}

/** Age of live rates, read at each scrape. Only processes that quote prices have any. */
export function ratesState(registry: Registry, { rates, clock }: RatesSource): void {
  const ageSeconds = (at: number) => Math.max(0, clock.now() - at) / 1_000;
  new Gauge({
    name: 'quittance_rate_age_seconds',
    help: 'Age of the live rate of an asset that can be quoted now; an asset without a usable rate is missing here.',
    labelNames: ['asset'],
    registers: [registry],
    collect() {
      this.reset();
      const table = rates.forMode('live');
      for (const asset of Object.keys(ASSETS) as CryptoSymbol[]) {
        const rate = table.get(asset);
        if (rate !== null) this.set({ asset }, ageSeconds(rate.updatedAt));
      }
    },
  });
  new Gauge({
    name: 'quittance_rate_source_age_seconds',
    help: 'Time since a source of live rates responded, or published its daily rates; missing for one that never has.',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { source, succeededAt } of rates.status()) {
        if (succeededAt !== null) this.set({ source }, ageSeconds(succeededAt));
      }
    },
  });
  new Gauge({
    name: 'quittance_rate_source_up',
    help: '1 when the newest response of a source of live rates was usable.',
    labelNames: ['source'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { source, failure, succeededAt } of rates.status()) {
        this.set({ source }, failure === null && succeededAt !== null ? 1 : 0);
      }
    },
  });
}
