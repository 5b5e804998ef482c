import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ALL_SETTINGS } from '../../src/platform/config/settings.ts';
import { parseProvisioningFile } from '../../src/service/provisioning/file.ts';
import { readEndpointUrl } from '../../src/webhooks/endpoint-url.ts';
import { readSubscription } from '../../src/webhooks/event-types.ts';
import { compile } from '../support/run/compiled.ts';
import { codeBlocks, ROOT, readDocument, tableRows } from './markdown.ts';

const SETTINGS = readDocument('docs/operators/settings.md');
const PROVISIONING = readDocument('docs/operators/merchants-and-wallets.md');

test('docs/operators/settings.md lists every setting', () => {
  expect(tableRows(SETTINGS, ['Variable', 'Default', 'Meaning'])).toHaveLength(ALL_SETTINGS.length);
});

describe('docs/operators/merchants-and-wallets.md', () => {
  test('shows a provisioning file that is accepted and uses every field', () => {
    const [example = ''] = codeBlocks(PROVISIONING, 'json');
    const { merchants } = parseProvisioningFile(JSON.parse(example), 'the example');
    const [merchant] = merchants;
    expect(merchant?.settings).toEqual({
      toleranceBasisPoints: 50,
      windowMinutes: 45,
      minConfirmations: 2,
      refuseWhenNetworkLags: false,
      brandColour: '#0b6e4f',
      supportContact: 'help@shop.example',
      recommendedCrypto: 'LTC',
      mailFirstPayment: true,
      mailLatePayment: true,
      mailNeedsAttention: true,
      mailUnassignedCoins: true,
      mailFailingWebhook: true,
      mailDailySummary: true,
      mailCustomerReceipt: true,
      mailCustomerLate: true,
      customerLanguage: 'pl',
    });
    expect(merchant?.logo?.contentType).toBe('image/webp');
    expect(merchant?.wallets[0]).toMatchObject({ crypto: 'LTC', addressType: 'p2wpkh' });
    for (const { url, events } of merchant?.webhooks ?? []) {
      expect(readEndpointUrl(url, { allowCidrs: [], allowHttp: false, allowPorts: [] }).protocol).toBe('https:');
      expect(readSubscription(events ?? null).length).toBeGreaterThan(0);
    }
    expect(merchant?.webhooks.map(({ events }) => events === undefined)).toEqual([false, true]);
  });

  test('describes exactly the fields of the provisioning file', () => {
    const described = tableRows(PROVISIONING, ['Field', 'Required', 'Meaning']).map(([field = '']) => field);
    const [example = ''] = codeBlocks(PROVISIONING, 'json');
    expect(described.map((field) => (field.split('.').at(-1) ?? '').replace('[]', '')).sort()).toEqual(
      [...namesIn(JSON.parse(example))].sort(),
    );
    // An unknown field is rejected with the list of known ones.
    const unknown = { merchants: [{ x: 1, settings: { x: 1 }, wallets: [{ x: 1 }], webhooks: [{ x: 1 }] }] };
    const known = rejectionOf(unknown).flatMap((line) => /known fields are (.*)$/.exec(line)?.[1]?.split(', ') ?? []);
    expect([...new Set(['merchants', ...known])].sort()).toEqual([...namesIn(JSON.parse(example))].sort());
  });
});

describe('npm run docs', () => {
  test('--check reports an outdated section, and writing updates it', async () => {
    const script = compile('scripts/docs/main.ts');
    const folder = await mkdtemp(join(tmpdir(), 'quittance-docs-'));
    const target = join(folder, 'docs/operators/settings.md');
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' });
    try {
      await mkdir(join(folder, 'docs/operators'), { recursive: true });
      for (const name of ['docs/operators/settings.md', 'docs/operators/monitoring.md'])
        await copyFile(join(ROOT, name), join(folder, name));
      expect(run('--check').status).toBe(0);
      await writeFile(target, SETTINGS.replace('| `PORT` |', '| `HARBOUR` |'));
      const checked = run('--check');
      expect([checked.status, checked.stderr]).toEqual([1, expect.stringContaining('npm run docs')]);
      expect(run().status).toBe(0);
      expect(await readFile(target, 'utf8')).toBe(SETTINGS);
      const metrics = await readFile(join(ROOT, 'docs/operators/monitoring.md'), 'utf8');
      await writeFile(
        join(folder, 'docs/operators/monitoring.md'),
        metrics.replace('| `quittance_bus_up` |', '| `quittance_bus` |'),
      );
      expect(run('--check').status).toBe(1);
      expect(run().status).toBe(0);
      expect(await readFile(join(folder, 'docs/operators/monitoring.md'), 'utf8')).toBe(metrics);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

// Helpers

/** Every field name at any depth. */
function namesIn(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return new Set([...own, ...Object.values(value).flatMap((each) => [...namesIn(each)])]);
}

function rejectionOf(json: unknown): string[] {
  try {
    parseProvisioningFile(json, 'the test');
    return [];
  } catch (error) {
    return String(error).split('\n');
  }
}
