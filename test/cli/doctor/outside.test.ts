import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAIL_CHECKS } from '../../../src/cli/doctor/checks/mail.ts';
import { NETWORK_CHECKS } from '../../../src/cli/doctor/checks/network.ts';
import { RATE_CHECKS } from '../../../src/cli/doctor/checks/rates.ts';
import { TRACES_CHECKS } from '../../../src/cli/doctor/checks/traces.ts';
import type { Environment } from '../../../src/platform/config/index.ts';
import { startRateSite } from '../../rates/rate-site.ts';
import { startOtlpReceiver } from '../../support/outside/otlp-receiver.ts';
import { startSmtp } from '../../support/outside/smtp.ts';
import { look, newFolder } from './installation.ts';

const LITECOIN = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  LTC_NETWORK: 'mainnet',
  LTC_RPC_URL: 'http://127.0.0.1:1',
};

describe('rates', () => {
  test('for test payments need no source', async () => {
    expect(await look(RATE_CHECKS, {})).toEqual([
      'ok rates: no live network is configured; test payments use sample rates',
    ]);
  });

  test('set by the operator are read, and reported missing where a coin has none', async () => {
    const file = join(await newFolder(), 'rates.json');
    await writeFile(file, '{"LTC":"80"}');
    const fixed = { ...LITECOIN, RATES_FIXED: file };
    expect(await look(RATE_CHECKS, fixed)).toEqual(['ok rates: RATES_FIXED has 1 rates']);
    expect(await look(RATE_CHECKS, { ...LITECOIN, RATES_FIXED: '{"EUR":"1.1"}' })).toEqual([
      'ok rates: RATES_FIXED has 1 rates',
      'problem rates: no source has a rate for LTC',
    ]);
    expect(await look(RATE_CHECKS, { ...LITECOIN, RATES_SOURCES: 'none' })).toEqual([
      'problem rates: live payments have no source of rates',
    ]);
  });

  test('of public sources are fetched, each separately', async () => {
    const site = await startRateSite();
    onTestFinished(() => site.close());
    site.usually((path) => (path.includes('exchange-rates') ? { body: '{}' } : { status: 503, body: 'not now' }));
    const env = { ...LITECOIN, RATES_SOURCES: 'kraken,coinbase' };
    const found = await look(RATE_CHECKS, env, { rateBaseUrls: { kraken: site.url, coinbase: site.url } });
    expect(site.requested.length).toBeGreaterThan(1);
    expect(found).toEqual([
      expect.stringMatching(/^warning rates: kraken: /),
      expect.stringMatching(/^warning rates: coinbase: /),
      'problem rates: no source has a rate for LTC',
    ]);
  });
});

describe('mail', () => {
  const mail = (url: string) => look(MAIL_CHECKS, { SMTP_URL: url, MAIL_FROM: 'pay@shop.example' });

  test('is tested up to the login, and nothing is sent', async () => {
    const server = await startSmtp({ login: { user: 'shop', password: 'right-word' } });
    onTestFinished(() => server.close());
    const address = `127.0.0.1:${server.port}`;
    expect(await mail(`smtp://shop:right-word@${address}`)).toEqual([
      `ok mail: ${address} responds and accepts the login`,
    ]);
    const rejected = await mail(`smtp://shop:wrong-word@${address}`);
    expect(rejected).toEqual([expect.stringMatching(/^problem mail: cannot connect to .*: .*535/)]);
    expect(rejected.join()).not.toContain('wrong-word');
    expect(server.mails).toEqual([]);
  });

  test('that cannot be sent is a warning, or a problem where it is required', async () => {
    expect(await mail('smtp://127.0.0.1:1')).toEqual([
      expect.stringMatching(/^problem mail: cannot connect to 127\.0\.0\.1:1/),
    ]);
    expect(await look(MAIL_CHECKS, {})).toEqual([expect.stringMatching(/^warning mail: no SMTP server is configured/)]);
    expect(await look(MAIL_CHECKS, { SIGN_UP: 'on' })).toEqual([expect.stringMatching(/^problem mail: SIGN_UP is on/)]);
  });
});

describe('the network', () => {
  const network = async (check: string, env: Environment) =>
    (await look(NETWORK_CHECKS, { PORT: '0', ...env })).filter((line) => line.includes(` ${check}: `));

  test('PUBLIC_URL resolves and uses https', async () => {
    expect(await network('PUBLIC_URL', { PUBLIC_URL: 'https://localhost' })).toEqual([
      expect.stringMatching(/^ok PUBLIC_URL: localhost resolves to (127\.0\.0\.1|::1)$/),
    ]);
    expect(await network('PUBLIC_URL', { PUBLIC_URL: 'http://localhost' })).toContainEqual(
      expect.stringMatching(/^warning PUBLIC_URL: not https/),
    );
    expect(await network('PUBLIC_URL', { PUBLIC_URL: 'https://no-such-name.invalid' })).toEqual([
      expect.stringMatching(/^problem PUBLIC_URL: no-such-name\.invalid cannot be resolved/),
    ]);
    expect(await network('PUBLIC_URL', {})).toEqual([expect.stringMatching(/^warning PUBLIC_URL: not set/)]);
    expect(await network('PUBLIC_URL', LITECOIN)).toEqual([expect.stringMatching(/^problem PUBLIC_URL: not set/)]);
  });

  test('a proxy in front is named', async () => {
    const behind = { PUBLIC_URL: 'https://localhost' };
    expect(await network('TRUSTED_PROXIES', behind)).toEqual([
      expect.stringMatching(/^warning TRUSTED_PROXIES: not set/),
    ]);
    expect(await network('TRUSTED_PROXIES', { ...behind, TRUSTED_PROXIES: '10.0.0.0/24' })).toEqual([
      'ok TRUSTED_PROXIES: 1 address blocks are trusted',
    ]);
  });

  test('the port is free, ours, or in use by another program', async () => {
    let answer = 'somebody else';
    const server = createServer((_request, response) => void response.end(answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = String((server.address() as AddressInfo).port);
    expect(await network('PORT', { PORT: port })).toEqual([
      `problem PORT: Port ${port} on 127.0.0.1 is in use by another program. Set PORT or HOST to a free address.`,
    ]);
    answer = '{"status":"ok","service":"quittance","version":"0.1.0"}';
    expect(await network('PORT', { PORT: port })).toEqual([`ok PORT: Quittance 0.1.0 responds on port ${port}`]);
    expect(await network('MONITOR_PORT', { MONITOR_PORT: port })).toEqual([
      expect.stringMatching(/^problem MONITOR_PORT: /),
    ]);
    answer = '{"status":"live"}';
    expect(await network('MONITOR_PORT', { MONITOR_PORT: port })).toEqual([
      `ok MONITOR_PORT: a running process responds on port ${port}`,
    ]);
    await new Promise((resolve) => server.close(resolve));
    expect(await network('PORT', { PORT: port })).toEqual([`ok PORT: ${port} on 127.0.0.1 is free`]);
  });

  test('webhooks are not sent to unsafe addresses', async () => {
    expect(await network('webhooks', {})).toEqual([expect.stringMatching(/^ok webhooks/)]);
    expect(await network('webhooks', { WEBHOOK_ALLOW_CIDRS: '10.1.0.0/16' })).toEqual([
      expect.stringMatching(/^ok webhooks/),
    ]);
    expect(await network('webhooks', { WEBHOOK_ALLOW_CIDRS: '169.254.0.0/16' })).toEqual([
      expect.stringMatching(/^warning webhooks: .* metadata/),
    ]);
    expect(await network('webhooks', { WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0' })).toEqual([
      expect.stringMatching(/127\.0\.0\.1/),
      expect.stringMatching(/169\.254\.169\.254/),
      expect.stringMatching(/very large network/),
    ]);
    expect(await network('webhooks', { ...LITECOIN, WEBHOOK_ALLOW_HTTP: 'true' })).toEqual([
      expect.stringMatching(/^warning webhooks: .* unencrypted/),
    ]);
  });
});

describe('traces', () => {
  test('are accepted, rejected, or the collector is unreachable', async () => {
    const collector = await startOtlpReceiver();
    onTestFinished(() => collector.close());
    const { host } = new URL(collector.url);
    const traces = (env: Environment = {}) => look(TRACES_CHECKS, { TRACES_URL: collector.url, ...env });
    expect(await traces()).toEqual([`ok traces: ${host} accepts traces`]);
    expect(await traces({ TRACES_SAMPLE: '0' })).toEqual([
      `warning traces: ${host} accepts traces, but TRACES_SAMPLE is 0`,
    ]);
    expect(collector.authorizations[0]).toMatch(/^Basic /);
    expect(collector.spans).toEqual([]);
    collector.usually('refuse');
    expect(await traces()).toEqual([`warning traces: ${host} responds with 400 to traces`]);
    await collector.close();
    expect(await traces()).toEqual([expect.stringMatching(`^problem traces: ${host} does not accept traces: `)]);
    expect(await look(TRACES_CHECKS, {})).toEqual([]);
  });
});
