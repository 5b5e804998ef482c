import type { Transaction } from 'kysely';
import type { Database } from '../db/index.ts';
import type { PreparedInput, StartDraft } from '../engine/index.ts';
import type { TerminalError } from '../errors.ts';
import { admitRecipients, type MailBounds } from './admit-recipients.ts';
import type { ScheduleAttachment } from './schedule-step.ts';

/**
 * Decides which merchants may start schedules, inside the transaction that would start them. Set-based, with `trx` alone. Answers
 * every merchant, in order: null, or what its caller is told.
 */
export type ScheduleAdmission = (
  trx: Transaction<Database>,
  merchantIds: readonly string[],
) => Promise<readonly (TerminalError | null)[]>;

/**
 * Lets schedules start whose merchant may start them, as far as their recipients are not written to too often. What is refused
 * takes nothing of what a recipient may get.
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
  // `createSchedule` made it; the engine hands it on untouched.
  return (attachment as ScheduleAttachment).merchantId;
}
