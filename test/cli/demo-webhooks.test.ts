import { expect, test } from 'vitest';
import { loadConfig } from '../../src/platform/config/index.ts';
import { demoWebhooksOf } from '../../src/service/demo/demo-webhooks.ts';

const options = { isProvisioned: false, port: 8123 };

test.each([
  [{}, 'http://127.0.0.1:8123/demo/receiver'],
  [{ HOST: '::1' }, 'http://[::1]:8123/demo/receiver'],
  [{ HOST: 'localhost', PUBLIC_URL: 'http://127.0.0.1:9000' }, 'http://localhost:8123/demo/receiver'],
])('a service on this machine alone, %o, may send webhooks to loopback', (env, receiverUrl) => {
  const config = loadConfig(env);
  expect(demoWebhooksOf(config, options)).toEqual({ urls: { ...config.webhooks, allowLoopback: true }, receiverUrl });
});

test.each([
  [{ DATABASE_URL: 'postgres://127.0.0.1/quittance' }],
  [{ HOST: '0.0.0.0' }],
  [{ HOST: '::' }],
  [{ HOST: '192.168.0.7' }],
  [{ PUBLIC_URL: 'https://pay.example' }],
  [{ TRUSTED_PROXIES: '127.0.0.1' }],
  [{ SIGN_UP: 'on', SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'pay@shop.example' }],
  [{ LTC_RPC_URL: 'http://127.0.0.1:9332', LTC_NETWORK: 'regtest' }],
])('with %o, webhooks may be sent where the settings allow them', (env) => {
  const config = loadConfig(env);
  expect(demoWebhooksOf(config, options)).toEqual({ urls: config.webhooks, receiverUrl: null });
});

test('with a provisioning file, webhooks may be sent where the settings allow them', () => {
  const config = loadConfig({ WEBHOOK_ALLOW_CIDRS: '10.0.0.0/8' });
  expect(demoWebhooksOf(config, { ...options, isProvisioned: true })).toEqual({
    urls: config.webhooks,
    receiverUrl: null,
  });
});
