import { Type } from 'typebox';
import { MINUTE_MS, MODES, type Mode, SECOND_MS } from '../../../../machines/index.ts';
import { BLIND_AFTER_MS, CHAIN_STATES, SILENT_AFTER_MS } from '../../../payments/index.ts';
import { NullableText, NullableTimestamp, nullable, oneOf, ref } from './primitives.ts';

export const HealthReport = Type.Object(
  {
    status: oneOf(['ok', 'degraded'], {
      description: 'degraded: payments are accepted, but a dependency other than the database does not respond.',
    }),
    service: Type.Literal('quittance'),
    version: Type.String({ description: 'The running version.' }),
  },
  { $id: 'HealthReport', description: 'Status of the service.' },
);

const NullableCount = (description: string) => nullable<number>('integer', { description });

export const ChainReport = Type.Object(
  {
    network: Type.String({ description: 'Chain and kind of network, e.g. litecoin-mainnet.' }),
    mode: nullable<Mode>('string', {
      enum: [...MODES, null],
      description:
        'Whether the network carries payments of live or of test keys; null if its node is no longer connected.',
    }),
    state: oneOf(CHAIN_STATES, {
      description: `watching: polled completely within the last ${BLIND_AFTER_MS / MINUTE_MS} minutes. catching_up: no complete poll in that time, but its watcher works and reported within the last ${SILENT_AFTER_MS / SECOND_MS} seconds. blind: no complete poll in that time, and its watcher fails or is silent. never_started: no poll was ever completed.`,
    }),
    cursor_height: NullableCount('The newest block that was scanned.'),
    tip_height: NullableCount('The newest block of the node, as of the last poll.'),
    blocks_behind: NullableCount('Number of blocks between the two.'),
    looked_until: NullableTimestamp('The network has been scanned completely up to this time.'),
    looked_age_seconds: NullableCount('Age of `looked_until` in seconds.'),
    holder: NullableText('The process that watches the network: host, process id and a random part.'),
    leased_until: NullableTimestamp('When its lease expires unless renewed; by the clock of the database.'),
    last_error: NullableText('Why the last poll failed; null if it succeeded.'),
    last_error_at: NullableTimestamp('When the last poll failed.'),
    warnings: Type.Array(Type.String(), { description: 'Problems to fix although polling works.' }),
    unwatched_assets: Type.Array(Type.String(), {
      description: 'Coins and tokens not accepted, because payments would not be seen.',
    }),
    reported_at: NullableTimestamp('Last report of a watcher; by the clock of the database.'),
  },
  { $id: 'ChainReport', description: 'Status of one network.' },
);

export const HealthDetailsReport = Type.Object(
  {
    status: oneOf(['ok', 'degraded'], {
      description: 'degraded: the bus does not respond, or a network is not being watched.',
    }),
    service: Type.Literal('quittance'),
    version: Type.String({ description: 'The running version.' }),
    chains: Type.Array(ref(ChainReport), { description: 'Every network that is or was watched, by name.' }),
    stray_payments: Type.Integer({
      description: 'Number of unassigned payments on a chain or in a mempool.',
    }),
    warnings: Type.Array(Type.String(), {
      description: 'Configuration problems that this process has detected since it started.',
    }),
  },
  { $id: 'HealthDetailsReport', description: 'Health of the service, for its operators.' },
);
