import type { Transaction } from 'kysely';
import type { Database } from '../db/index.ts';
import type { PreparedInput, StartDraft } from '../engine/index.ts';
import type { TerminalError } from '../errors.ts';
import { admitRecipients, type MailBounds } from './admit-recipients.ts';
import type { ScheduleAttachment } from './schedule-step.ts';

/**
 * Decides which merchants may start schedules, inside the transaction that starts them. Set-based;
 * uses only `trx`. Returns one entry per merchant, in order: null, or the error for its caller.
 */
export type ScheduleAdmission = (
  trx: Transaction<Database>,
  merchantIds: readonly string[],
) => Promise<readonly (TerminalError | null)[]>;

/**
 * Admits the schedules whose merchant may start them and whose recipient is within the email
 * limits. A refused schedule does not count towards the limits.
 */
export async function admitSchedules(
  trx: Transaction<Database>,
  drafts: readonly StartDraft[],
  { admission, ...bounds }: MailBounds & { readonly admission: ScheduleAdmission | undefined },
): Promise<readonly PreparedInput[]> {
  if (admission === undefined) return admitRecipients(trx, drafts, bounds);
  const refusals = await admission(trx, drafts.map(merchantOfDraft));
  const free = drafts.filter((_, place) => (refusals[place] ?? null) === null);
  const admitted = new Map((await admitRecipients(trx, free, bounds)).map((each, place) => [free[place], each]));
  return drafts.map((draft, place) => {
    const refusal = refusals[place] ?? null;
    return refusal === null ? (admitted.get(draft) ?? { input: draft.input }) : { refusal };
  });
}

// Helpers

function merchantOfDraft({ attachment }: StartDraft): string {
  // Made by `createSchedule`; the engine passes it through unchanged.
  return (attachment as ScheduleAttachment).merchantId;
}
