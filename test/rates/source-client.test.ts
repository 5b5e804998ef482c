import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RetryableError } from '../../src/platform/errors.ts';
import { textOf } from '../../src/rates/http/response.ts';
import { createSourceClient, type SourceClient, type SourceLimits } from '../../src/rates/http/source-client.ts';
import { createRatesAgent } from '../../src/rates/index.ts';
import { describeWith } from '../support/run/components.ts';
import { type RateSite, type Reply, startRateSite } from './rate-site.ts';

const never = new AbortController().signal;

let site: RateSite;
let agent: Agent;
let now: number;
const clock = { now: () => now };

beforeEach(async () => {
  site = await startRateSite();
  agent = createRatesAgent();
  now = 1_700_000_000_000;
});
afterEach(async () => {
  await agent.destroy();
  await site.close();
});

function createClient(limits: Partial<SourceLimits> = {}) {
  return createSourceClient({ agent, clock }, { source: 'some', timeoutMs: 5_000, maxBytes: 1_000, ...limits });
}

/** Runs one round with one request; returns its result or error. */
async function ask(reply: Reply, limits: Partial<SourceLimits> = {}): Promise<unknown> {
  site.usually(reply);
  return createClient(limits)
    .round(never, async (get) => textOf(await get(`${site.url}/rates`)))
    .catch((error: unknown) => error);
}

const failure = (code: string, message: RegExp) =>
  expect.objectContaining({ name: 'RetryableError', code, message: expect.stringMatching(message) });

describe('a request to a rate source', () => {
  it('sends a user agent and accepts no compression', async () => {
    expect(await ask({ body: 'hello' })).toBe('hello');
    expect(site.headers['user-agent']).toMatch(/^quittance\/\d/);
    expect(site.headers['accept-encoding']).toBeUndefined();
  });

  it('follows no redirect', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      const headers = { location: `${site.url}/elsewhere` };
      expect(await ask({ status, body: '', headers })).toEqual(failure('RATE_SOURCE_REFUSED', /redirect/));
    }
    expect(site.requested).not.toContain('/elsewhere');
  });

  it('accepts a response of exactly the size limit and not a byte more', async () => {
    expect(await ask({ body: 'x'.repeat(1_000) })).toBe('x'.repeat(1_000));
    expect(await ask({ body: 'x'.repeat(1_001) })).toEqual(failure('RATE_SOURCE_UNREADABLE', /more than 1000 bytes/));
  });

  it('closes the connection on an endless answer', async () => {
    expect(await ask('endless', { maxBytes: 1_000_000 })).toEqual(failure('RATE_SOURCE_UNREADABLE', /more than/));
  });

  it('times out when no response comes, or when it stalls', async () => {
    const timedOut = failure('RATE_SOURCE_TIMEOUT', /some did not respond within 50 ms/);
    expect(await ask('hang', { timeoutMs: 50 })).toEqual(timedOut);
    expect(await ask('hang_in_body', { timeoutMs: 50 })).toEqual(timedOut);
  });

  it('aborts when its signal aborts', async () => {
    site.usually('hang');
    const stopping = new AbortController();
    const asking = createClient().round(stopping.signal, (get) => get(site.url));
    const outcome = asking.catch((error: unknown) => error);
    await vi.waitFor(() => expect(site.requested).toHaveLength(1));
    stopping.abort(new Error('the service stops'));
    expect(await outcome).toEqual(new Error('the service stops'));
    await expect(createClient().round(stopping.signal, (get) => get(site.url))).rejects.toThrow('the service stops');
    expect(site.requested).toHaveLength(1);
  });

  it('reports a broken connection as a temporary failure', async () => {
    expect(await ask('reset')).toEqual(failure('RATE_SOURCE_UNREACHABLE', /some is unreachable/));
    expect(await ask('truncate')).toEqual(failure('RATE_SOURCE_UNREACHABLE', /some is unreachable/));
    await site.close();
    expect(await ask({ body: '' })).toEqual(failure('RATE_SOURCE_UNREACHABLE', /ECONNREFUSED/));
  });

  it('rejects bytes that are not text', async () => {
    const gzipped = Buffer.from('1f8b080000000000000303000000000000000000', 'hex');
    expect(await ask({ body: gzipped, headers: { 'content-encoding': 'gzip' } })).toEqual(
      failure('RATE_SOURCE_UNREADABLE', /invalid UTF-8/),
    );
  });

  it('rejects a response that a cache held for more than 2 minutes', async () => {
    expect(await ask({ body: 'fresh', headers: { age: '120' } })).toBe('fresh');
    expect(await ask({ body: 'old', headers: { age: '121' } })).toEqual(failure('RATE_SOURCE_STALE', /121 s old/));
    for (const age of ['-1', 'soon'])
      expect(await ask({ body: 'odd', headers: { age } })).toEqual(failure('RATE_SOURCE_STALE', /cache/));
    expect(await ask({ body: 'daily', headers: { age: '121' } }, { maxCacheAgeMs: 86_400_000 })).toBe('daily');
  });
});

describe('a source that asks for a pause', () => {
  const rejection = (headers: Record<string, string>, status = 429): Reply => ({ status, body: 'slow down', headers });
  const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

  /** Sends these replies, each as soon as the previous pause is over; returns the pauses in ms. */
  async function pausesAfter(replies: readonly Reply[]): Promise<readonly number[]> {
    const client = createClient();
    const round = () => client.round(never, async (get) => textOf(await get(site.url)));
    const pauses: number[] = [];
    for (const reply of replies) {
      site.usually(reply);
      await round().catch(() => undefined);
      const requested = site.requested.length;
      const resting: unknown = await round().catch((error: unknown) => error);
      const isResting = resting instanceof RetryableError && resting.code === 'RATE_SOURCE_RESTING';
      const pause = isResting ? resting.retryAfterMs : 0;
      if (isResting) {
        now += pause - 1;
        await expect(round()).rejects.toMatchObject({ code: 'RATE_SOURCE_RESTING' });
        expect(site.requested).toHaveLength(requested);
        now += 1;
      }
      pauses.push(pause);
    }
    return pauses;
  }

  it('is paused for as long as it asks, given in seconds or as a date', async () => {
    expect(await pausesAfter([rejection({ 'retry-after': '90' })])).toEqual([90 * SECOND]);
    expect(await pausesAfter([rejection({ 'retry-after': '7200' }, 418)])).toEqual([2 * HOUR]);
    expect(await pausesAfter([rejection({ 'retry-after': '120' }, 503)])).toEqual([2 * MINUTE]);
    const date = new Date(now + 10 * MINUTE).toUTCString();
    expect(await pausesAfter([rejection({ 'retry-after': date })])).toEqual([10 * MINUTE]);
  });

  it('is paused for a minute when it asks for less or names no time, doubling each time up to an hour', async () => {
    const odd = ['0', '5', '-5', 'soon', '1.5', new Date(0).toUTCString()];
    for (const text of odd) expect(await pausesAfter([rejection({ 'retry-after': text })]), text).toEqual([MINUTE]);
    const again = await pausesAfter(Array.from({ length: 8 }, () => rejection({})));
    expect(again.map((pause) => pause / MINUTE)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('is paused for at most 3 days at once', async () => {
    expect(await pausesAfter([rejection({ 'retry-after': '999999999' })])).toEqual([3 * DAY]);
  });

  it('starts over with a minute after one success', async () => {
    const replies: Reply[] = [rejection({}), rejection({}), { body: 'ok' }, rejection({})];
    expect(await pausesAfter(replies)).toEqual([MINUTE, 2 * MINUTE, 0, MINUTE]);
  });

  it('is recognised even when the body of its refusal never arrives', async () => {
    const broken: Reply = { status: 429, body: '', headers: { 'retry-after': '90', 'content-length': '100' } };
    expect(await pausesAfter([broken])).toEqual([90 * SECOND]);
  });

  it('is not confused with a source that only fails', async () => {
    expect(
      await pausesAfter([rejection({}, 503), rejection({}, 500), rejection({ 'retry-after': '90' }, 403)]),
    ).toEqual([0, 0, 0]);
  });
});

describeWith('openssl')('over https', () => {
  let folder: string;
  let tls: { key: string; cert: string };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-rates-tls-'));
    const [key, cert] = [join(folder, 'site.key'), join(folder, 'site.crt')];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync('openssl', [...args, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
    tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('accepts a source only with a certificate from a trusted authority', async () => {
    const secure = await startRateSite(tls);
    const trusting = new Agent({ connect: { ca: tls.cert } });
    try {
      secure.usually({ body: 'hello' });
      const deps = { source: 'some', timeoutMs: 5_000, maxBytes: 1_000 };
      const work = (client: SourceClient) => client.round(never, async (get) => textOf(await get(secure.url)));
      expect(await work(createSourceClient({ agent: trusting, clock }, deps))).toBe('hello');
      await expect(work(createSourceClient({ agent, clock }, deps))).rejects.toEqual(
        failure('RATE_SOURCE_UNREACHABLE', /DEPTH_ZERO_SELF_SIGNED_CERT/),
      );
      expect(secure.requested).toHaveLength(1);
    } finally {
      await trusting.destroy();
      await secure.close();
    }
  });
});
