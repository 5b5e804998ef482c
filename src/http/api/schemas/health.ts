import { Type } from 'typebox';
import { MINUTE_MS, MODES, type Mode, SECOND_MS } from '../../../../machines/index.ts';
import { BLIND_AFTER_MS, CHAIN_STATES, SILENT_AFTER_MS } from '../../../payments/index.ts';
import { NullableText, NullableTimestamp } from './primitives.ts';
import { nullable, oneOf, ref } from './ref.ts';

export const HealthReport = Type.Object(
  {
    status: oneOf(['ok', 'degraded'], {
      description: 'degraded: payments are taken, but something beside the database does not answer.',
    }),
    service: Type.Literal('quittance'),
    version: Type.String({ description: 'The version that runs.' }),
  },
  { $id: 'HealthReport', description: 'How the service is doing.' },
);

const NullableCount = (description: string) => nullable<number>('integer', { description });

export const ChainReport = Type.Object(
  {
    network: Type.String({ description: 'Chain and kind of network, like litecoin-mainnet.' }),
    mode: nullable<Mode>('string', {
      enum: [...MODES, null],
      description:
        'Whose payments the network carries: those of live keys, or of test keys; null when no node of it is connected any more.',
    }),
    state: oneOf(CHAIN_STATES, {
      description: `watching: polled completely within the last ${BLIND_AFTER_MS / MINUTE_MS} minutes. catching_up: not so, but its watcher works and reported within the last ${SILENT_AFTER_MS / SECOND_MS} seconds. blind: not so, and its watcher fails or is silent. never_started: no poll was ever finished.`,
    }),
    cursor_height: NullableCount('The newest block that was scanned.'),
    tip_height: NullableCount('The newest block of the node, as the watcher saw it last.'),
    blocks_behind: NullableCount('How many blocks are between the two.'),
    looked_until: NullableTimestamp('Everything that was on the network at this moment has been seen.'),
    looked_age_seconds: NullableCount('How long ago that is.'),
    holder: NullableText('The process that watches the network: host, process id and a random part.'),
    leased_until: NullableTimestamp('When its right to watch ends unless it renews it; by the clock of the database.'),
    last_error: NullableText('Why the last poll failed; null when it succeeded.'),
    last_error_at: NullableTimestamp('When it failed.'),
    warnings: Type.Array(Type.String(), { description: 'What should be fixed although polling works.' }),
    unwatched_assets: Type.Array(Type.String(), {
      description: 'Coins and tokens that cannot be paid with, because payments would not be seen.',
    }),
    reported_at: NullableTimestamp('Last sign of life of a watcher; by the clock of the database.'),
  },
  { $id: 'ChainReport', description: 'How one network is being watched.' },
);

export const HealthDetailsReport = Type.Object(
  {
    status: oneOf(['ok', 'degraded'], {
      description: 'degraded: the bus does not answer, or a network is not being watched.',
    }),
    service: Type.Literal('quittance'),
    version: Type.String({ description: 'The version that runs.' }),
    chains: Type.Array(ref(ChainReport), { description: 'Every network that is or was watched, by name.' }),
    stray_payments: Type.Integer({
      description: 'How many payments that belong to no running transaction are on a chain or in a mempool.',
    }),
    warnings: Type.Array(Type.String(), {
      description: 'What the operator should change in the settings, as this process has noticed since it started.',
    }),
  },
  { $id: 'HealthDetailsReport', description: 'Health of the service, for its operators.' },
);
