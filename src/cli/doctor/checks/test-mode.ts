import type { Config } from '../../../platform/config/index.ts';
import type { Connection } from '../../../platform/db/index.ts';
import { networkModesOf } from '../../../service/payment-networks-of.ts';
import { type Check, type Examined, type Finding, ok, warning } from '../check.ts';

/**
 * Which network test keys use, and whether any merchant can receive payments there. The node checks
 * cover the nodes themselves.
 */
export const TEST_MODE_CHECKS: readonly Check[] = [{ name: 'TEST_MODE', run: testMode }];

// Helpers

async function testMode({ config, database }: Examined): Promise<Finding[]> {
  if (config.testMode === 'simulated') return [ok('test payments are simulated and need no node and no wallet')];
  const networks = testNetworksOf(config);
  const connected = ok(`test keys use ${networks.join(', ')}`);
  // The database check reports a database that does not respond.
  const connection = await database();
  if (connection === null) return [connected];
  const withoutWallet = await networksWithoutWallet(connection, networks);
  return [
    connected,
    ...withoutWallet.map((network) =>
      warning(
        `no merchant has a test wallet on ${network}, so no test payment can be created there`,
        'Add one in the console, or in the provisioning file with "mode": "test".',
      ),
    ),
  ];
}

function testNetworksOf({ nodes }: Pick<Config, 'nodes'>): string[] {
  return [...networkModesOf(nodes)].flatMap(([network, mode]) => (mode === 'test' ? [network] : []));
}

async function networksWithoutWallet({ db }: Connection, networks: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('wallet')
    .innerJoin('derivation_key', 'derivation_key.id', 'wallet.derivation_key_id')
    .select('wallet.network')
    .distinct()
    .where('derivation_key.mode', '=', 'test')
    .where('wallet.network', 'in', networks)
    .execute();
  const known = new Set(rows.map(({ network }) => network));
  return networks.filter((network) => !known.has(network));
}
