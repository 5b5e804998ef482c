import type { Kysely } from 'kysely';
import { emailsOfColleagues } from '../../../accounts/index.ts';
import type { PaymentDesk } from '../../../console/index.ts';
import { type Database, whileDatabaseAnswers } from '../../../db/index.ts';
import { findLinkOfPayment } from '../../../links/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import {
  decideTransaction,
  decisionsFor,
  type PaymentDetail,
  readPaymentDetail,
  scopeOfPayment,
  simulate,
  simulationsFor,
  timelineOf,
} from '../../../payments/index.ts';
import { listTransactionEvents } from '../../../webhooks/index.ts';
import { attentionInfoOf } from './attention-info.ts';
import { askerOf } from './change-as.ts';
import type { DeskDeps } from './deps.ts';

type Info = Awaited<ReturnType<PaymentDesk['payment']>>;

/** One payment of a merchant. The payment has its own mode, so one URL works for both modes. */
export function bindPayment({ create, clock }: DeskDeps, { watch }: Pick<OutageNotice, 'watch'>): PaymentDesk {
  const { db, engine, publicUrl } = create;
  const read = async (merchantId: string, id: string): Promise<Info> => {
    const detail = await readPaymentDetail({ db, publicUrl }, { merchantId, transactionId: id });
    return whileDatabaseAnswers(() => toInfo(db, merchantId, detail));
  };
  return {
    payment: ({ merchantId }, id) => watch(() => read(merchantId, id)),
    decide: ({ merchantId, userId }, id, body) =>
      watch(async () => {
        const scope = await scopeOfPayment(db, { merchantId, transactionId: id });
        await decideTransaction({ db, engine }, scope, { ...body, transactionId: id, by: userId });
        return read(merchantId, id);
      }),
    simulate: (member, id, { action, seconds }) =>
      watch(async () => {
        const { merchantId } = member;
        const scope = await scopeOfPayment(db, { merchantId, transactionId: id });
        const request = seconds === undefined ? { action } : { action, seconds };
        await simulate({ db, engine, clock, publicUrl }, scope, id, request, askerOf({ clock }, member));
        return read(merchantId, id);
      }),
  };
}

// Helpers

async function toInfo(db: Kysely<Database>, merchantId: string, detail: PaymentDetail): Promise<Info> {
  const { journal, isJournalCut, attention, ...rest } = detail;
  const [link, events] = await Promise.all([
    findLinkOfPayment(db, detail.id),
    listTransactionEvents({ db }, { merchantId, transactionId: detail.id }),
  ]);
  const isOfCustomer = link !== null || detail.schedule !== null;
  const timeline = timelineOf(journal, { ...detail, startedBy: isOfCustomer ? 'customer' : 'shop' });
  const userIds = [
    ...timeline.flatMap(({ who }) => (who.kind === 'person' ? who.userId : [])),
    ...attention.flatMap(({ settledBy }) => settledBy ?? []),
  ];
  const emails = await emailsOfColleagues(db, { merchantId, userIds });
  return {
    ...rest,
    decisions: decisionsFor(detail),
    simulations: simulationsFor(detail),
    link,
    events,
    attention: attention.map((item) => attentionInfoOf(item, emails)),
    timeline: timeline.map(({ who, ...entry }) => ({
      ...entry,
      who: who.kind === 'person' ? { kind: 'person', email: emails.get(who.userId) ?? null } : who,
    })),
    isTimelineCut: isJournalCut,
  };
}
