import { type NodeConfig, ROLES, type Role, settingPrefix } from './config.ts';
import type { SettingReader } from './setting-reader.ts';
import { SETTINGS } from './settings.ts';

/** Adds an error for each combination that cannot work or may lose money. */
export function rejectConflicts(reader: SettingReader, config: Listeners & { nodes: readonly NodeConfig[] }): void {
  rejectPartialRoles(reader, config.roles);
  rejectSharedPort(reader, config);
  rejectLiveOnEmbedded(reader, config.nodes);
  rejectMixedNetworks(reader, config.nodes);
}

// Helpers

interface Listeners {
  readonly port: number;
  readonly monitor: { readonly port: number | null };
  readonly roles: readonly Role[];
}

/** Monitoring must not be public, so it cannot share the port of the API. */
function rejectSharedPort(reader: SettingReader, { port, monitor, roles }: Listeners): void {
  if (port === 0 || monitor.port !== port || !roles.includes('api')) return;
  reader.errors.push(`MONITOR_PORT: ${port} is also PORT; choose another port that is not reachable from outside.`);
}

/** A process with only some roles needs a shared database and bus to reach the other processes. */
function rejectPartialRoles(reader: SettingReader, roles: readonly Role[]): void {
  if (roles.length === ROLES.length) return;
  const missing = [SETTINGS.databaseUrl.name, SETTINGS.natsUrl.name].filter((name) => reader.given(name) === null);
  if (missing.length === 0) return;
  reader.errors.push(
    `ROLES: running only ${roles.join(', ')} needs ${missing.join(' and ')}, because the other roles run in other ` +
      'processes; set it, or unset ROLES to run everything in this process.',
  );
}

/** The embedded database never calls fsync, so a power failure can lose acknowledged payments. */
function rejectLiveOnEmbedded(reader: SettingReader, nodes: readonly NodeConfig[]): void {
  const { databaseUrl } = SETTINGS;
  if (reader.given(databaseUrl.name) !== null) return;
  const mainNetworks = nodes.filter(({ networkKind }) => networkKind === 'mainnet');
  if (mainNetworks.length === 0) return;
  const names = mainNetworks.map((node) => `${settingPrefix(node)}_NETWORK`);
  reader.errors.push(
    `${databaseUrl.name}: is not set although ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} mainnet. The ` +
      'embedded database can lose payments and reuse an address after a power cut; set ' +
      `${databaseUrl.name} to a PostgreSQL server, or use testnet or regtest.`,
  );
}

/** Coins of a test network are free, and would pay orders of a shop that sells for real ones. */
function rejectMixedNetworks(reader: SettingReader, nodes: readonly NodeConfig[]): void {
  const live = nodes.filter(({ mode }) => mode === 'live');
  const ofTests = live.filter(({ networkKind }) => networkKind !== 'mainnet');
  const [main] = live.filter(({ networkKind }) => networkKind === 'mainnet');
  if (main === undefined) return;
  for (const node of ofTests) {
    const name = `${settingPrefix(node)}_NETWORK`;
    reader.errors.push(
      `${name}: is ${node.networkKind} while ${settingPrefix(main)}_NETWORK is mainnet, so live keys would accept coins ` +
        `that cost nothing; set ${name} to mainnet, or use TEST_MODE=onchain with TEST_${name} for test keys.`,
    );
  }
}
