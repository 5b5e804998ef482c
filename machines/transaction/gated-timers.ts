import { confirmationDeadline } from './rules/confirmation-deadline.ts';
import { nextDepthHeight } from './rules/depth-verification.ts';
import { lossSettlesAt } from './rules/losses.ts';
import { monitoringEndsAt } from './rules/monitoring.ts';
import { transactionEffects as base } from './setup.ts';

/**
 * Actions that set or cancel the timers which wait for the payment's network. A gated timer fires
 * only when it has been scanned past the due time, so that coins that arrived in time are seen
 * before; the depth timer fires at a height. The engine's `lease-due-timers.ts` holds both back.
 */
export const timerActions = {
  startWindowTimer: base.enqueueActions(({ context, enqueue }) => {
    enqueue({ type: 'startTimer', params: { timer: 'window_closed', dueAt: context.expiresAt, gated: true } });
  }),
  cancelWindowTimer: base.enqueueActions(({ enqueue }) => {
    enqueue({ type: 'cancelTimer', params: { timer: 'window_closed' } });
  }),
  moveDeadlineTimer: base.enqueueActions(({ context, enqueue }) => {
    const dueAt = confirmationDeadline(context);
    enqueue.assign({ confirmationDeadlineAt: dueAt });
    if (dueAt === null) enqueue({ type: 'cancelTimer', params: { timer: 'confirmation_deadline_passed' } });
    else enqueue({ type: 'startTimer', params: { timer: 'confirmation_deadline_passed', dueAt, gated: true } });
  }),
  cancelDeadlineTimer: base.enqueueActions(({ context, enqueue }) => {
    if (context.confirmationDeadlineAt === null) return;
    enqueue.assign({ confirmationDeadlineAt: null });
    enqueue({ type: 'cancelTimer', params: { timer: 'confirmation_deadline_passed' } });
  }),
  /** Gated: only a network scanned past the due time can show that coins are still missing. */
  moveLossTimer: base.enqueueActions(({ context, enqueue }) => {
    const dueAt = lossSettlesAt(context);
    enqueue.assign({ lossSettlesAt: dueAt });
    if (dueAt === null) enqueue({ type: 'cancelTimer', params: { timer: 'loss_settled' } });
    else enqueue({ type: 'startTimer', params: { timer: 'loss_settled', dueAt, gated: true } });
  }),
  cancelLossTimer: base.enqueueActions(({ context, enqueue }) => {
    const { lostSince, lossSettlesAt } = context;
    if (lostSince === undefined && lossSettlesAt === null) return;
    enqueue.assign({ lostSince: undefined, lossSettlesAt: null });
    if (lossSettlesAt !== null) enqueue({ type: 'cancelTimer', params: { timer: 'loss_settled' } });
  }),
  startMonitoringTimer: base.enqueueActions(({ context, enqueue }) => {
    const dueAt = monitoringEndsAt(context);
    enqueue({ type: 'startTimer', params: { timer: 'monitoring_ended', dueAt, gated: true } });
  }),
  cancelMonitoringTimer: base.enqueueActions(({ enqueue }) => {
    enqueue({ type: 'cancelTimer', params: { timer: 'monitoring_ended' } });
  }),
  moveDepthTimer: base.enqueueActions(({ context, enqueue }) => {
    const height = nextDepthHeight(context);
    enqueue.assign({ depthTimerHeight: height });
    if (height === null) enqueue({ type: 'cancelTimer', params: { timer: 'depth_reached' } });
    else enqueue({ type: 'startHeightTimer', params: { timer: 'depth_reached', height } });
  }),
};
