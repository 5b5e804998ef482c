import { emailsOfColleagues } from '../../../accounts/index.ts';
import type { AttentionDesk } from '../../../console/index.ts';
import { whileDatabaseAnswers } from '../../../db/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import { countAttention, listAttention, settleAttention } from '../../../payments/index.ts';
import { attentionInfoOf } from './attention-info.ts';
import type { DeskDeps } from './deps.ts';

/** Items that need a merchant's attention. */
export function bindAttention({ create, clock }: DeskDeps, { watch }: Pick<OutageNotice, 'watch'>): AttentionDesk {
  const { db } = create;
  return {
    count: ({ merchantId }, mode) => watch(async () => ({ open: await countAttention(db, { merchantId, mode }) })),
    list: ({ merchantId }, { mode, ...request }) =>
      watch(async () => {
        const { items, cursor } = await listAttention(db, { merchantId, mode }, request);
        const userIds = items.flatMap(({ settledBy }) => settledBy ?? []);
        const emails = await whileDatabaseAnswers(() => emailsOfColleagues(db, { merchantId, userIds }));
        return { items: items.map((item) => attentionInfoOf(item, emails)), cursor };
      }),
    settle: ({ merchantId, userId }, item, body) =>
      watch(() =>
        whileDatabaseAnswers(() =>
          db
            .transaction()
            .execute((trx) =>
              settleAttention(
                { trx, who: `user ${userId}`, now: clock.now() },
                { merchantId, by: userId, ...item, ...body },
              ),
            ),
        ),
      ),
  };
}
