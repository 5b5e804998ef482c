import { Gauge, type Registry } from 'prom-client';
import type { PoolUse } from '../../db/index.ts';

/** Postgres connections of this process, read at each scrape; the embedded database has none. */
export function poolState(registry: Registry, poolUse: () => PoolUse | null): void {
  new Gauge({
    name: 'quittance_database_connections',
    help: 'Connections of this process to Postgres, by state: busy or idle.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const use = poolUse();
      if (use === null) return;
      this.set({ state: 'busy' }, use.open - use.idle);
      this.set({ state: 'idle' }, use.idle);
    },
  });
  const waiting = new Gauge({
    name: 'quittance_database_waiting',
    help: 'Statements and transactions of this process that wait for a connection.',
    registers: [registry],
    collect() {
      const use = poolUse();
      if (use === null) this.remove();
      else this.set(use.waiting);
    },
  });
  waiting.remove();
}
