import { Gauge, type Registry } from 'prom-client';
import type { UnixMs } from '../../../machines/index.ts';
import type { InstallationFigures } from '../../operations/index.ts';

/**
 * Figures of the whole installation, from the database. Every process reports the same, so
 * aggregate them with the maximum, never the sum. Without a response of the database they are all
 * missing, and `quittance_database_up` is 0.
 */
export function installationState(registry: Registry): (figures: InstallationFigures | null) => void {
  const single = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const labelled = <L extends string>(name: string, labelNames: readonly L[], help: string) =>
    new Gauge({ name, help, labelNames, registers: [registry] });

  const up = single('quittance_database_up', '1 when the database responded to the query for the figures below.');
  const plain: readonly Figure[] = [
    [single('quittance_outbox_messages', 'Messages in the outbox.'), ({ outbox }) => outbox.waiting],
    [
      single('quittance_outbox_oldest_age_seconds', 'Age of the oldest message in the outbox; 0 without one.'),
      ({ at, outbox }) => ageSeconds(at, outbox.oldestAt),
    ],
    [single('quittance_timers_late', 'Timers overdue by 2 minutes or more.'), ({ timers }) => timers.late],
    [
      single('quittance_timers_oldest_late_seconds', 'How long the oldest of these is overdue; 0 without one.'),
      ({ at, timers }) => ageSeconds(at, timers.oldestDueAt),
    ],
    [single('quittance_dead_letters_open', 'Unresolved dead letters.'), ({ deadLetters }) => deadLetters.open],
    [single('quittance_mails_waiting', 'Emails waiting to be sent.'), ({ mails }) => mails.waiting],
    [
      single('quittance_mails_failed', 'Emails of the last 7 days that failed permanently.'),
      ({ mails }) => mails.failed,
    ],
  ];
  const alerts = labelled('quittance_operator_alerts_open', ['alert'], 'Open operator alerts.');
  const actors = labelled('quittance_actors', ['kind', 'state'], 'Actors by kind and state.');
  const onBus = labelled(
    'quittance_bus_messages_waiting',
    ['queue'],
    'Messages on the bus that no handler has settled; missing for a queue without any.',
  );
  const watched = labelled(
    'quittance_chain_watched',
    ['network'],
    '1 when a network was polled completely in the last 5 minutes.',
  );
  const held = labelled(
    'quittance_chain_lease_held',
    ['network'],
    '1 when a process holds the lease to watch a network.',
  );
  const lag = labelled(
    'quittance_chain_lag_blocks',
    ['network'],
    'Blocks that the node has reported but the watcher has not scanned.',
  );
  const tip = labelled('quittance_chain_tip_height', ['network'], 'Height of the newest block the node has reported.');
  const watermark = labelled(
    'quittance_chain_watermark_age_seconds',
    ['network'],
    'Time since the point up to which a network is synced; missing for one never polled.',
  );

  return (figures) => {
    for (const each of [alerts, actors, onBus, watched, held, lag, tip, watermark]) each.reset();
    up.set(figures === null ? 0 : 1);
    for (const [gauge, figureOf] of plain) {
      if (figures === null) gauge.remove();
      else gauge.set(figureOf(figures));
    }
    if (figures === null) return;
    for (const { alert, count } of figures.openAlerts) alerts.set({ alert }, count);
    for (const { kind, state, count } of figures.actors) actors.set({ kind, state }, count);
    for (const { queue, count } of figures.bus.waiting) onBus.set({ queue }, count);
    for (const { network, state, isHeld, lagBlocks, tip: height, syncedUntil } of figures.chains) {
      watched.set({ network }, state === 'watching' ? 1 : 0);
      held.set({ network }, isHeld ? 1 : 0);
      if (lagBlocks !== null) lag.set({ network }, lagBlocks);
      if (height !== null) tip.set({ network }, height);
      if (syncedUntil !== null) watermark.set({ network }, ageSeconds(figures.at, syncedUntil));
    }
  };
}

// Helpers

type Figure = readonly [Gauge, (figures: InstallationFigures) => number];

/** The clocks of this machine and of the database may differ slightly. */
function ageSeconds(now: UnixMs, since: UnixMs | null): number {
  return since === null ? 0 : Math.max(0, now - since) / 1_000;
}
