import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/log.ts';
import { createRateTable, type RateSource } from '../../src/rates/index.ts';
import { createSourcePoller } from '../../src/rates/poll-sources.ts';
import { createEcbSource } from '../../src/rates/sources/ecb.ts';
import { type RateSite, startRateSite } from './rate-site.ts';
import { asRates, responseOf } from './vectors.ts';

const never = new AbortController().signal;
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** The response of Friday, 28 June 2024. */
const FRIDAY = responseOf('ecb', '28 June 2024');
const FRIDAY_BEGINS = Date.UTC(2024, 5, 28);
const FRIDAY_EVENING = FRIDAY_BEGINS + 18 * HOUR;
const publicationOf = (day: string, usd = '1.0705') => ({
  body: FRIDAY.body.replace('2024-06-28', day).replace("rate='1.0705'", `rate='${usd}'`),
});

let site: RateSite;
let agent: Agent;
let now: number;
let lines: string[];
const clock = { now: () => now };

beforeEach(async () => {
  now = FRIDAY_EVENING;
  lines = [];
  agent = new Agent();
  site = await startRateSite();
  site.usually({ body: FRIDAY.body });
});
afterEach(async () => {
  await agent.destroy();
  await site.close();
});

function createEcb() {
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  return createEcbSource({ agent, clock, log }, site.url);
}

describe('ECB reference rates', () => {
  it('include currencies only', async () => {
    expect(asRates(await createEcb().fetch(never))).toEqual(FRIDAY.quotes);
    expect(Object.keys(FRIDAY.quotes ?? {}).sort()).toEqual(['EUR', 'GBP', 'PLN']);
    expect(site.requested).toEqual(['/stats/eurofxref/eurofxref-daily.xml']);
  });

  it('are fetched 8 times a day and served from memory every minute in between', async () => {
    const ecb = createEcb();
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      await ecb.fetch(never);
      now += MINUTE;
    }
    expect(ecb.pollEveryMs).toBe(MINUTE);
    expect(site.requested).toHaveLength(8);
  });

  it('stay valid over the weekend and are replaced when new ones are published', async () => {
    const ecb = createEcb();
    await ecb.fetch(never);
    now += 2 * DAY;
    expect(asRates(await ecb.fetch(never)).EUR).toBe('1.0705');
    site.usually(publicationOf('2024-07-01', '1.08'));
    now += DAY;
    expect(asRates(await ecb.fetch(never)).EUR).toBe('1.08');
  });

  it('stay valid from one publication to the next on every working day of 50 years, but not for 6 days', () => {
    let longestGap = 0;
    let previous = Date.UTC(2020, 0, 2);
    for (let day = previous; day < Date.UTC(2070, 0, 1); day += DAY) {
      if (isClosed(day)) continue;
      // The next one is published by 16:00 CET, which is 15:00 UTC in winter.
      longestGap = Math.max(longestGap, day + 15 * HOUR - previous);
      previous = day;
    }
    expect(longestGap).toBe(5 * DAY + 15 * HOUR);
  });

  it('expire on time, however often they are fetched again', async () => {
    const ecb = createEcb();
    await ecb.fetch(never);
    now = FRIDAY_BEGINS + 6 * DAY - 1;
    expect(asRates(await ecb.fetch(never)).EUR).toBe('1.0705');
    now += 1;
    await expect(ecb.fetch(never)).rejects.toMatchObject({ code: 'RATE_SOURCE_STALE' });
    now += MINUTE;
    await expect(ecb.fetch(never)).rejects.toThrow('rates of 2024-06-28');
    site.usually(publicationOf('2024-07-04', '1.08'));
    expect(asRates(await ecb.fetch(never)).EUR).toBe('1.08');
  });

  it.each(['2024-06-29', '2024-06-30'])('with a future date are rejected: %s', async (day) => {
    site.usually(publicationOf(day));
    await expect(createEcb().fetch(never)).rejects.toMatchObject({ code: 'RATE_SOURCE_STALE' });
  });

  it('are not replaced by older ones from a cache', async () => {
    const ecb = createEcb();
    await ecb.fetch(never);
    site.usually(publicationOf('2024-06-27', '1.05'));
    now += 3 * HOUR;
    expect(asRates(await ecb.fetch(never)).EUR).toBe('1.0705');
    expect(site.requested).toHaveLength(2);
  });

  it('stay in use while the ECB does not answer, with a log line and a retry every quarter of an hour', async () => {
    const ecb = createEcb();
    await ecb.fetch(never);
    site.usually({ status: 500, body: '' });
    now += 3 * HOUR;
    for (let minute = 0; minute < 60; minute += 1) {
      expect(asRates(await ecb.fetch(never)).EUR).toBe('1.0705');
      now += MINUTE;
    }
    expect(site.requested).toHaveLength(1 + 4);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('"of":"2024-06-28"');
  });

  it('are requested every minute while there are none', async () => {
    site.usually({ status: 500, body: '' });
    const ecb = createEcb();
    await expect(ecb.fetch(never)).rejects.toMatchObject({ code: 'RATE_SOURCE_REFUSED' });
    now += MINUTE;
    site.usually({ body: FRIDAY.body });
    expect(asRates(await ecb.fetch(never)).EUR).toBe('1.0705');
  });
});

describe('a rate table with the ECB as a source', () => {
  const log = createLogger({ level: 'silent' });

  async function tableWith(...markets: readonly string[]) {
    const table = createRateTable({ clock });
    const exchanges = markets.map(
      (usd, index): RateSource => ({
        name: `market ${index}`,
        kind: 'market',
        pollEveryMs: MINUTE,
        fetch: async () => ({ EUR: usd }),
      }),
    );
    await createSourcePoller({ sources: [...exchanges, createEcb()], table, log }).pollOnce();
    return table;
  }

  it('rule 34: has no rate for a currency quoted by the ECB alone', async () => {
    now = FRIDAY_BEGINS + 2 * DAY;
    const table = await tableWith();
    for (const currency of ['EUR', 'GBP', 'PLN'] as const) expect(table.getFiat(currency), currency).toBeNull();
  });

  it('returns the market price, with the time of the market, when the ECB confirms it', async () => {
    now = FRIDAY_BEGINS + 2 * DAY;
    expect((await tableWith('1.09')).getFiat('EUR')).toEqual({ usd: '1.09', updatedAt: now, sources: ['market 0'] });
  });

  it('rule 34: rejects a single market that the ECB contradicts, and uses the one of two that it confirms', async () => {
    expect((await tableWith('1.8')).getFiat('EUR')).toBeNull();
    expect((await tableWith('1.8', '1.08')).getFiat('EUR')).toMatchObject({ usd: '1.08', sources: ['market 1'] });
  });

  it('returns the rate on which the markets agree when they have moved away from the reference', async () => {
    expect((await tableWith('1.3', '1.31')).getFiat('EUR')).toMatchObject({ usd: '1.305' });
  });

  it('dates ECB rates by their publication, not by the request', async () => {
    now = FRIDAY_BEGINS + 2 * DAY;
    expect((await tableWith()).status()).toEqual([
      { source: 'ecb', succeededAt: FRIDAY_BEGINS, failedAt: null, failure: null },
    ]);
  });
});

// Helpers

/** Weekends and TARGET closing days; TARGET is the euro area's interbank payment system. */
function isClosed(day: number): boolean {
  const date = new Date(day);
  const [weekday, monthAndDay] = [date.getUTCDay(), date.toISOString().slice(5, 10)];
  if (weekday === 0 || weekday === 6) return true;
  if (['01-01', '05-01', '12-25', '12-26'].includes(monthAndDay)) return true;
  const easter = easterSunday(date.getUTCFullYear());
  return day === easter - 2 * DAY || day === easter + DAY;
}

/** Gregorian Easter, by the anonymous algorithm of 1876. */
function easterSunday(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const l = (32 + 2 * e + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  const day = (h + l - 7 * m + 33 * month + 19) % 32;
  return Date.UTC(year, month - 1, day);
}
