import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAYMENT_EVENTS } from '../../../machines/index.ts';
import { PROGRAM } from '../../../scripts/build/program.ts';
import type { CreatedSecrets } from '../../../src/service/provisioning/apply.ts';
import { createTestAccountKey, createTestWallet, type TestWallet } from '../../support/nodes/wallet.ts';
import { ENDPOINT_NAMES, type EndpointName, type Receivers } from './receivers.ts';

/** The single merchant of a run. */
export interface Merchant {
  readonly liveKey: string;
  readonly testKey: string;
  readonly wallet: TestWallet;
  readonly endpointIds: { readonly [Endpoint in EndpointName]: string };
}

/** In minutes: the shortest window a merchant can choose. */
const WINDOW_MINUTES = 10;

/** Provisions the merchant with the command, as operators do; gives receivers their secrets. */
export function provisionMerchant(deps: {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly receivers: Receivers;
}): Merchant {
  const { folder, env, receivers } = deps;
  const wallet = createTestWallet(folder);
  const merchant = {
    name: 'Corner shop',
    email: 'owner@shop.example',
    plan: 'enterprise',
    settings: { window_minutes: WINDOW_MINUTES },
    wallets: [
      { crypto: 'LTC', extended_public_key: wallet.extendedPublicKey },
      ...['ETH', 'WBTC'].map((crypto) => {
        return { crypto, extended_public_key: createTestAccountKey(`${crypto} of ${folder}`) };
      }),
    ],
    webhooks: ENDPOINT_NAMES.map((name) => ({ url: receivers.urls[name], events: PAYMENT_EVENTS })),
  };
  writeFileSync(join(folder, 'merchants.json'), JSON.stringify({ merchants: [merchant] }));
  const ran = spawnSync(process.execPath, [PROGRAM, 'provision', 'merchants.json', '--out', 'secrets.json'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
  });
  if (ran.status !== 0) throw new Error(`The merchant could not be provisioned: ${ran.stderr}${ran.stdout}`);
  const { merchants } = JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as {
    merchants: CreatedSecrets[];
  };
  const [created] = merchants;
  if (created?.keys === undefined) throw new Error('Provisioning made no keys');
  const webhookOf = (name: EndpointName) => {
    const webhook = created.webhooks.find(({ url }) => url === receivers.urls[name]);
    if (webhook === undefined) throw new Error(`Provisioning made no endpoint ${name}`);
    return webhook;
  };
  receivers.trust({ steady: webhookOf('steady').secret, troubled: webhookOf('troubled').secret });
  return {
    liveKey: created.keys.sk_live,
    testKey: created.keys.sk_test,
    wallet,
    endpointIds: { steady: webhookOf('steady').id, troubled: webhookOf('troubled').id },
  };
}
