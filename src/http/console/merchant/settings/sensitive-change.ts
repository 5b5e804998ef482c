import type { SecurityChange } from '../../../../accounts/index.ts';
import type { SettingsChangeBody, SettingsInfo } from './schemas.ts';

/**
 * What the owners receive by email about a change that needs the password: payments would complete
 * with less money or fewer confirmations, customers could hold their quotes for longer, or would
 * see another support contact, or the operator would write to another address. Null for other
 * changes. `seen` is reliable: a change is rejected when it differs from the stored value.
 * `ownWindows`: the default windows, shortest first.
 */
export function sensitiveChangeOf(
  { changes, seen }: SettingsChangeBody,
  ownWindows: SettingsInfo['ownWindows'],
): SecurityChange | null {
  const { toleranceBasisPoints: tolerance, minConfirmations: confirmations, windowMinutes: window } = changes;
  const less: Detail[] = [];
  if (isLess(seen.toleranceBasisPoints, tolerance)) {
    less.push(['May be missing', `${percent(tolerance)}, before ${percent(seen.toleranceBasisPoints)}`]);
  }
  if (isLess(confirmations, seen.minConfirmations)) {
    less.push(['Minimum confirmations', `${confirmations}, before ${seen.minConfirmations}`]);
  }
  const seenByCustomers: Detail[] = [];
  // Null means the default of each coin: longer for some coin is enough.
  const longest = window === null ? ownWindows.at(-1)?.minutes : window;
  const before = seen.windowMinutes ?? ownWindows[0]?.minutes;
  if (window !== seen.windowMinutes && isLess(before, longest)) {
    seenByCustomers.push(['Payment window', `${minutes(window)}, before ${minutes(seen.windowMinutes)}`]);
  }
  const { supportContact: contact } = changes;
  if (contact !== undefined && contact !== seen.supportContact) {
    seenByCustomers.push(['Support contact', `${contact ?? 'none'}, before ${seen.supportContact ?? 'none'}`]);
  }
  const seenByOperator: Detail[] = [];
  const { contactEmail: email } = changes;
  if (email !== undefined && email !== seen.contactEmail) {
    seenByOperator.push(['Contact for the operator', `${email}, before ${seen.contactEmail ?? 'none'}`]);
  }
  const details = [...less, ...seenByCustomers, ...seenByOperator];
  if (details.length === 0) return null;
  return { subject: subjectOf(less.length > 0, seenByCustomers.length > 0), details };
}

// Helpers

type Detail = SecurityChange['details'][number];

function subjectOf(acceptsLess: boolean, isSeenByCustomers: boolean): string {
  if (acceptsLess) return 'Payments are accepted with lower requirements';
  return isSeenByCustomers ? 'What customers see has changed' : 'The contact address of your shop has changed';
}

function isLess(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one < other;
}

function percent(basisPoints = 0): string {
  return `${basisPoints / 100} %`;
}

function minutes(window: number | null = null): string {
  return window === null ? 'the default of each coin' : `${window} minutes`;
}
