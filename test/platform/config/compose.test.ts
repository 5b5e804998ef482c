import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALL_SETTINGS } from '../../../src/platform/config/settings.ts';

const COMPOSE = readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');

describe('docker-compose.yml', () => {
  it('passes every setting to the service, and nothing that is not a setting', () => {
    const [, environment = ''] = /^ {2}app:\n.*?^ {4}environment:\n(.*?)^\n/ms.exec(COMPOSE) ?? [];
    const handedOn = [...environment.matchAll(/^ {6}([A-Z0-9_]+):/gm)].map(([, name]) => name);
    expect(handedOn).toHaveLength(ALL_SETTINGS.length);
    expect(new Set(handedOn)).toEqual(new Set(ALL_SETTINGS.map(({ name }) => name)));
  });

  it('names its test nodes at the addresses that its example uses', () => {
    const [, host = '', port = ''] = /ETH_RPC_URL=http:\/\/([a-z]+):(\d+)/.exec(COMPOSE) ?? [];
    expect(COMPOSE).toMatch(new RegExp(`^ {2}${host}:\\n {4}profiles: \\[regtest\\]`, 'm'));
    expect(COMPOSE).toContain(`'--port', '${port}'`);
    expect(COMPOSE).toContain("'--chain-id', '31337'");
  });
});
