import { type ChainStatus, countUnassignedPayments, readChainStatus } from '../../payments/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { loadConfig } from '../../platform/config/index.ts';
import { networkModesOf } from '../../service/payment-networks-of.ts';
import { durationText, printResult, tableText, timeText } from '../print.ts';
import { withDatabase } from '../with-database.ts';
import type { ChainValues } from './commands.ts';

/** `quittance chain status`: every network that has a configured node or was watched before. */
export async function chainStatus({ json }: ChainValues['status']): Promise<void> {
  const config = loadConfig(process.env);
  const modes = networkModesOf(config.nodes);
  const { networks, unassigned } = await withDatabase(config, async (db) => ({
    networks: await readChainStatus(db, systemClock, [...modes.keys()]),
    unassigned: await countUnassignedPayments(db),
  }));
  printResult(json, { networks: networks.map((each) => toJson(each, modes)), stray_payments: unassigned }, () =>
    statusText(networks, modes, unassigned),
  );
}

// Helpers

type Modes = ReturnType<typeof networkModesOf>;

function toJson(status: ChainStatus, modes: Modes) {
  return {
    network: status.network,
    mode: modes.get(status.network) ?? null,
    state: status.state,
    cursor_height: status.cursorHeight,
    tip_height: status.tipHeight,
    blocks_behind: status.blocksBehind,
    looked_until: timeText(status.syncedUntil),
    looked_age_ms: status.syncedAgeMs,
    holder: status.holder,
    leased_until: timeText(status.leasedUntil),
    last_error: status.lastError,
    last_error_at: timeText(status.lastErrorAt),
    warnings: status.warnings,
    unwatched_assets: status.unwatchedAssets,
  };
}

const HEADINGS = ['NETWORK', 'KEYS', 'STATE', 'CURSOR', 'TIP', 'BEHIND', 'SYNCED UNTIL', 'AGE', 'WATCHED BY'];

function statusText(networks: readonly ChainStatus[], modes: Modes, unassigned: number): string {
  const count = `unassigned deposits: ${unassigned}${unassigned === 0 ? '' : ' (list them with "quittance chain strays")'}`;
  if (networks.length === 0) return `No network is configured: set LTC_NETWORK and LTC_RPC_URL, for example.\n${count}`;
  const rows = networks.map((each) => [
    each.network,
    modes.get(each.network) ?? '-',
    each.state.replaceAll('_', ' '),
    each.cursorHeight ?? '-',
    each.tipHeight ?? '-',
    each.blocksBehind ?? '-',
    timeText(each.syncedUntil) ?? '-',
    each.syncedAgeMs === null ? '-' : durationText(each.syncedAgeMs),
    each.holder ?? 'none',
  ]);
  return [
    tableText(
      HEADINGS,
      rows.map((row) => row.map(String)),
    ),
    ...networks.flatMap(troubles),
    count,
  ].join('\n');
}

/** Errors and warnings, which do not fit into a table. */
function troubles({ network, lastError, lastErrorAt, warnings }: ChainStatus): string[] {
  const error =
    lastError === null ? [] : [`${network}: error since ${timeText(lastErrorAt) ?? 'the last poll'}: ${lastError}`];
  return [...error, ...warnings.map((warning) => `${network}: warning: ${warning}`)];
}
