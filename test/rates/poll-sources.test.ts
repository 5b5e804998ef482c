import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createRateTable, type Quotes, type RateSource } from '../../src/rates/index.ts';
import { createSourcePoller, type SourcePoller } from '../../src/rates/poll-sources.ts';

const started: SourcePoller[] = [];
afterEach(() => {
  for (const poller of started.splice(0)) poller.stop();
});

function setUp(sources: readonly RateSource[], timeoutMs?: number) {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const table = createRateTable({ clock: systemClock });
  const poller = createSourcePoller({ sources, table, log, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  started.push(poller);
  return { table, poller, lines };
}

function source(name: string, fetch: (signal: AbortSignal) => Promise<Quotes>, pollEveryMs = 60_000): RateSource {
  return { name, kind: 'market', pollEveryMs, fetch };
}

const never = () => new Promise<never>(() => {});

describe('the source poller', () => {
  it('has fetched every source once when start resolves', async () => {
    const { table, poller } = setUp([
      source('a', async () => ({ LTC: '80' })),
      source('b', async () => ({ LTC: '81', BTC: '65000' })),
    ]);
    await poller.start();
    expect(table.get('LTC')).toMatchObject({ usd: '80.5', sources: ['a', 'b'] });
    expect(table.get('BTC')).toMatchObject({ usd: '65000', sources: ['b'] });
  });

  it('fetches at the interval of each source until it is stopped', async () => {
    let requested = 0;
    const { table, poller } = setUp([source('a', async () => ({ LTC: String(++requested) }), 1)]);
    await poller.start();
    await vi.waitFor(() => expect(requested).toBeGreaterThan(5));
    expect(table.get('LTC')?.usd).toBe(String(requested));
    poller.stop();
    const atStop = requested;
    const { poller: other } = setUp([source('b', async () => ({ LTC: String(++requested) }), 1)]);
    await other.start();
    await vi.waitFor(() => expect(requested).toBeGreaterThan(atStop + 5));
    expect(table.get('LTC')?.usd).toBe(String(atStop));
  });

  it('times out a source that does not answer, aborts its signal, and keeps the other sources', async () => {
    let toldToStop = false;
    const silent = source('silent', (signal) => {
      signal.addEventListener('abort', () => {
        toldToStop = true;
      });
      return never();
    });
    const { table, poller, lines } = setUp([silent, source('b', async () => ({ LTC: '81' }))], 20);
    await poller.pollOnce();
    expect(toldToStop).toBe(true);
    expect(table.get('LTC')?.sources).toEqual(['b']);
    expect(table.status()).toMatchObject([
      { source: 'b', failure: null },
      { source: 'silent', failure: 'silent did not respond within 20 ms' },
    ]);
    expect(lines.join()).toContain('"source":"silent"');
  });

  it('recovers from a failure and logs it', async () => {
    let isDown = true;
    const flaky = source(
      'flaky',
      async () => {
        if (isDown) throw new Error('503 from http://me:hunter2@rates.example/v1');
        return { LTC: '80' };
      },
      1,
    );
    const { table, poller, lines } = setUp([flaky]);
    await poller.start();
    expect(table.get('LTC')).toBeNull();
    expect(lines.join()).toContain('a rate source returned no rates');
    expect(lines.join()).not.toContain('hunter2');
    isDown = false;
    await vi.waitFor(() => expect(table.get('LTC')?.usd).toBe('80'));
  });

  it('discards all prices of a response that contains an invalid one', async () => {
    for (const wrong of ['0', '-5', 'NaN', '', '1e5', '80,5']) {
      const { table, poller } = setUp([source('odd', async () => ({ BTC: '65000', LTC: wrong }))]);
      await poller.pollOnce();
      expect(table.get('BTC')).toBeNull();
      expect(table.status()).toMatchObject([
        { source: 'odd', failure: expect.stringContaining('the LTC rate of odd') },
      ]);
    }
  });

  it('stops immediately while a source is being fetched, and reports no failure', async () => {
    const { table, poller, lines } = setUp([source('silent', never)]);
    const starting = poller.start();
    poller.stop();
    await starting;
    expect(table.status()).toEqual([]);
    expect(lines).toEqual([]);
  });
});
