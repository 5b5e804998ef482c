import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { alertTitle } from '../../src/web/pages/operator/health/alert-titles.ts';
import { Networks } from '../../src/web/pages/operator/health/networks.tsx';
import { MerchantEndpoints, MerchantWallets } from '../../src/web/pages/operator/merchants/merchant-parts.tsx';
import { timeSpent } from '../../src/web/ui/values/time-text.ts';

const linkTo = (id: string, text: string) => `${id}: ${text}`;

test('every documented alert has a title of its own, and an unknown one is readable', () => {
  const documented = readFileSync('docs/operators/troubleshooting.md', 'utf8');
  const names = [...documented.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(alertTitle(name)).not.toBe(untitled(name));
  expect(alertTitle('some_new_alert')).toBe('Some new alert');
});

test('a wallet without unused addresses has no badge about them', () => {
  const run = { network: 'bitcoin', cryptos: ['BTC'], allocated: 3, warning: null };
  const shown = (unusedRun: number) =>
    renderToStaticMarkup(createElement(MerchantWallets, { runs: [{ ...run, unusedRun }] }));
  expect(shown(2)).toContain('2 unused in a row');
  expect(shown(0)).not.toContain('unused');
});

test('an endpoint that has received no webhook is not used yet, and differs from others of its host', () => {
  const endpoint = {
    id: 'end_1',
    name: 'Main server',
    host: 'shop.example',
    isEnabled: true,
    failingSince: null,
    disabledBecause: null,
    lastSuccessAt: null,
    failuresInARow: 0,
    lastFailure: null,
    modes: ['live', 'test'] as const,
  };
  const shown = (more: object) =>
    renderToStaticMarkup(createElement(MerchantEndpoints, { endpoints: [{ ...endpoint, ...more }], linkTo }));
  expect(shown({})).toContain('>not used yet<');
  expect(shown({})).not.toMatch(/works|never delivered/);
  expect(shown({})).toContain('Main server');
  expect(shown({ name: '' })).toContain('end_1');
});

test('a failing endpoint links to the delivery that failed last, with the reason, and says if it is for tests', () => {
  const lastFailure = {
    deliveryId: 'dlv_7',
    at: 1,
    kind: 'connection',
    status: null,
    detail: 'connect ECONNREFUSED ::1',
  };
  const endpoint = {
    id: 'end_1',
    name: '',
    host: 'shop.example',
    isEnabled: true,
    failingSince: 1,
    disabledBecause: null,
    lastSuccessAt: null,
    failuresInARow: 16,
    lastFailure,
    modes: ['live', 'test'] as const,
  };
  const shown = (more: object) =>
    renderToStaticMarkup(createElement(MerchantEndpoints, { endpoints: [{ ...endpoint, ...more }], linkTo }));
  expect(shown({})).toContain('dlv_7: Last attempt: connection refused (ECONNREFUSED)');
  expect(shown({})).toContain('16 failures in a row');
  expect(shown({ failuresInARow: 0, failingSince: null })).not.toContain('dlv_7');
  expect(shown({})).not.toContain('>test<');
  expect(shown({ modes: ['test'] })).toContain('>test<');
});

test('a merchant without endpoints has none yet', () => {
  expect(renderToStaticMarkup(createElement(MerchantEndpoints, { endpoints: [], linkTo }))).toContain(
    'No endpoints yet',
  );
});

test('a network says why it is down, and one that never started because of an error is red', () => {
  const chain = { network: 'litecoin', tip: null, lagBlocks: null, syncedUntil: null, isHeld: true };
  const shown = (state: string, lastError: string | null) =>
    renderToStaticMarkup(createElement(Networks, { chains: [{ ...chain, state, lastError }] }));
  const refused = 'http://127.0.0.1:9332 does not respond: ECONNREFUSED';
  expect(shown('never_started', null)).toContain('badge-quiet">never started');
  expect(shown('never_started', refused)).toContain('badge-bad">Node does not respond');
  expect(shown('never_started', refused)).toContain(refused);
  expect(shown('blind', refused)).toContain(refused);
});

test('time in a state is a duration, and never in the future', () => {
  expect([0, 1_999, 7 * 60_000, 26 * 3_600_000, -5_000].map((spentMs) => timeSpent(0, spentMs))).toEqual([
    'just now',
    'just now',
    'for 7 min',
    'for 1 d',
    'just now',
  ]);
});

// Helpers

function untitled(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll('_', ' ');
}
