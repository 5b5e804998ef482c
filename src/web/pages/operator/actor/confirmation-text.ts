import type { TransactionContext } from '../../../../../machines/index.ts';
import type { ActorDetail } from '../../../../http/console/operator/schemas.ts';
import { countText } from '../../../ui/values/word-text.ts';

/** How far a confirming payment is, from its own data; empty for other actors and states. */
export function confirmationText({ kind, state, context }: Pick<ActorDetail, 'kind' | 'state' | 'context'>): string {
  if (kind !== 'transaction' || state !== 'confirming') return '';
  // Written by any version of the chart.
  const { outputs, confirmationsRequired } = context as Partial<TransactionContext>;
  if (outputs === undefined || confirmationsRequired === undefined) return '';
  const required = countText(confirmationsRequired, 'confirmation');
  const left = outputs.filter(({ presence, confirmedAt }) => presence !== 'gone' && confirmedAt === null);
  if (left.some(({ presence }) => presence === 'mempool')) return `0 of ${required}: not in a block yet.`;
  const heights = left.flatMap(({ height }) => (height === null ? [] : [height]));
  return heights.length === 0 ? '' : `In block ${Math.max(...heights)}; needs ${required}.`;
}
