import type { Transaction } from 'kysely';
import { type ScheduleEffects, scheduleMachine } from '../../machines/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, settleAll } from '../platform/db/index.ts';
import { type ActorKind, defineKind, type PreparedInput, type StartDraft } from '../platform/engine/index.ts';
import type { TerminalError } from '../platform/errors.ts';
import { admitRecipients, type EmailBounds, findEmailsBeyondBounds } from './admit-recipients.ts';
import { createCustomerLinks, type Tokens } from './customer-links.ts';
import { isAudited, saveAuditEntries } from './projection/audit-entries.ts';
import { saveEmails } from './projection/emails.ts';
import { reportExcessOfSteps } from './projection/excess.ts';
import { holdOutdatedEmails } from './projection/outdated-emails.ts';
import { savePeriods } from './projection/periods.ts';
import { saveSchedules } from './projection/schedules.ts';
import { readStoredSchedules } from './projection/stored-schedules.ts';
import { saveWebhookEvents } from './projection/webhook-events.ts';
import type { ScheduleAttachment } from './schedule-step.ts';
import { settleMissedPeriods } from './settle-forgotten.ts';

export interface ScheduleKindDeps {
  /** Base URL of the service for customers, without a trailing slash. */
  readonly publicUrl: string;
  readonly tokens: Tokens;
  readonly clock: Clock;
  /** Which merchants may start schedules; all if omitted. */
  readonly admission?: ScheduleAdmission;
  /**
   * Emails to unconfirmed customers that each merchant may send in 24 hours; unlimited if omitted.
   */
  readonly maxUnconfirmed?: number;
}

/**
 * Actor kind of a schedule: maps its effects to timers, messages and rows. Its timers depend on the
 * time alone; emails, periods and events are rows of the same commit.
 */
export function createScheduleKind({
  publicUrl,
  tokens,
  clock,
  admission,
  maxUnconfirmed = Number.POSITIVE_INFINITY,
}: ScheduleKindDeps): ActorKind {
  const links = createCustomerLinks({ publicUrl, tokens });
  const now = () => clock.now();
  const bounds = () => ({ maxUnconfirmed, now: now() });
  return defineKind<ScheduleEffects>()({
    machine: scheduleMachine,
    merchantOf: ({ merchantId }) => merchantId ?? null,
    prepare: (trx, drafts) => admitSchedules(trx, drafts, { admission, ...bounds() }),
    async project(trx, steps) {
      await saveSchedules(trx, steps);
      const schedules = await readStoredSchedules(
        trx,
        steps.filter((step) => step.effects.some(needsStoredSchedule) || isAudited(step)).map((step) => step.actorId),
      );
      const [hints] = await settleAll([
        saveWebhookEvents(trx, steps, { schedules, now }),
        savePeriods(trx, steps),
        saveEmails(trx, steps, {
          schedules,
          links,
          now,
          findBeyondBounds: (inTrx, emails) => findEmailsBeyondBounds(inTrx, emails, bounds()),
        }),
        reportExcessOfSteps(trx, steps, schedules),
        saveAuditEntries(trx, steps, { schedules, now }),
      ]);
      // After all are written: a step may outdate an email of the same batch.
      await holdOutdatedEmails(trx, steps);
      return hints;
    },
    recordMissed: settleMissedPeriods,
    effects: {
      startTimer: ({ timer, dueAt }) => [{ kind: 'timer', name: timer, dueAt, gate: null }],
      cancelTimer: ({ timer }) => [{ kind: 'cancelTimer', name: timer }],
      // Written by the projection in the same commit.
      sendMail: () => [],
      requestPeriod: () => [],
      skipPeriods: () => [],
      settlePeriod: () => [],
      noteExcess: () => [],
      notifyMerchant: () => [],
    },
  });
}

// Helpers

const NEEDS_SCHEDULE: ReadonlySet<string> = new Set(['sendMail', 'notifyMerchant', 'noteExcess']);

function needsStoredSchedule({ type }: { readonly type: string }): boolean {
  return NEEDS_SCHEDULE.has(type);
}

/**
 * Decides which merchants may start schedules, inside the transaction that starts them. Set-based;
 * uses only `trx`. Returns one entry per merchant, in order: null, or the error for its caller.
 */
type ScheduleAdmission = (
  trx: Transaction<Database>,
  merchantIds: readonly string[],
) => Promise<readonly (TerminalError | null)[]>;

/**
 * Admits the schedules whose merchant may start them and whose recipient is within the email
 * limits. A rejected schedule does not count towards the limits.
 */
async function admitSchedules(
  trx: Transaction<Database>,
  drafts: readonly StartDraft[],
  { admission, ...bounds }: EmailBounds & { readonly admission: ScheduleAdmission | undefined },
): Promise<readonly PreparedInput[]> {
  if (admission === undefined) return admitRecipients(trx, drafts, bounds);
  const rejections = await admission(trx, drafts.map(merchantOfDraft));
  const free = drafts.filter((_, index) => (rejections[index] ?? null) === null);
  const admitted = new Map((await admitRecipients(trx, free, bounds)).map((each, index) => [free[index], each]));
  return drafts.map((draft, index) => {
    const rejection = rejections[index] ?? null;
    return rejection === null ? (admitted.get(draft) ?? { input: draft.input }) : { rejection };
  });
}

function merchantOfDraft({ attachment }: StartDraft): string {
  // Created by `createSchedule`; the engine passes it through unchanged.
  return (attachment as ScheduleAttachment).merchantId;
}
