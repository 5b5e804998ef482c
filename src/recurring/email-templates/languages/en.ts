import type { Interval } from '../../../../machines/index.ts';
import type { EmailLanguage } from '../../../mail/index.ts';
import type { DetailName, DueTerms, Terms } from '../texts.ts';
import { datesIn } from './dates.ts';

/**
 * All texts of the email templates, one object per language. They contain no markup, and all
 * parameters are single lines of plain text.
 */
export const ENGLISH = {
  language: { code: 'en', greet: () => 'Hello,' } satisfies EmailLanguage,
  /** The interval as used inside a sentence: "every month". */
  every: {
    weekly: 'every week',
    monthly: 'every month',
    quarterly: 'every three months',
    yearly: 'every year',
  } satisfies Record<Interval, string>,
  ...datesIn(
    'January February March April May June July August September October November December',
    (day, month, year) => `${day} ${month} ${year}`,
  ),
  /** Subject of an email of a test schedule. */
  testSubject: (subject: string) => `[Test] ${subject}`,
  testNotice: 'This is a test. Please do not send real coins.',
  /** Labels of the listed values, in both emails. */
  names: {
    merchant: 'From',
    description: 'For',
    reference: 'Reference',
    amount: 'Amount',
    interval: 'How often',
    firstRequest: 'First request',
    count: 'Number of payments',
    due: 'Due',
    period: 'Payment',
  } satisfies Record<DetailName, string>,
  confirmation: {
    subject: ({ merchant, amount, every }: Terms) => `Please confirm: ${amount} ${every} to ${merchant}`,
    opening: ({ merchant, amount, every }: Terms) =>
      `${merchant} would like to request ${amount} ${every} from you. Nothing is requested unless you agree.`,
    /** Used when the schedule has no start date. */
    fromConfirmation: 'as soon as you confirm',
    /** How many requests there will be; null for no limit. */
    count: (maxPeriods: number | null, { merchant }: Terms) =>
      maxPeriods === null
        ? `no fixed number: until you or ${merchant} end the requests`
        : `${maxPeriods === 1 ? '1 request' : `at most ${maxPeriods} requests`}, then they end`,
    nothingMovesByItself:
      'No money moves automatically. For each payment you receive an email with a link, and you pay from your own wallet. No one can take anything from it. You can end the requests at any time.',
    confirm: 'Review and confirm',
    /** `expires` is a formatted date and time. */
    silenceIsNo: (expires: string) =>
      `You can confirm until ${expires}. If you do not want this, ignore this email: the request then expires.`,
    why: ({ merchant }: Terms) => `You received this email because ${merchant} gave us your address.`,
    decline: 'Decline, and receive no more emails about this',
  },
  request: {
    subject: ({ merchant, amount, due, reminder }: DueTerms) => {
      if (reminder === 'none') return `Payment request: ${amount} to ${merchant}, due ${due}`;
      return `${reminder === 'last' ? 'Last reminder' : 'Reminder'}: ${amount} to ${merchant}, due ${due}`;
    },
    opening: ({ merchant, amount, every, due, reminder }: DueTerms) => {
      if (reminder === 'none')
        return `Your payment of ${amount} to ${merchant}, which you agreed to pay ${every}, is due.`;
      const number = reminder === 'last' ? 'the last reminder' : 'a reminder';
      return `This is ${number}: your payment of ${amount} to ${merchant}, due ${due}, is not complete yet.`;
    },
    periodNo: (periodNo: number, maxPeriods: number | null) =>
      maxPeriods === null ? `${periodNo}` : `${periodNo} of ${maxPeriods}`,
    priceIsFixedWhenOpened:
      'The price in coins is fixed when you open the payment and is valid for a short time. Open it when you are ready to pay; if it expires before you have paid, open it again. No money moves automatically.',
    /** Only in reminders. */
    alreadyPaid: 'If you have just paid, no action is needed: the network may still be confirming the payment.',
    pay: ({ amount }: Terms) => `Pay ${amount}`,
    why: ({ merchant, every }: Terms) =>
      `You received this email because you agreed to payment requests from ${merchant} ${every}.`,
    stop: 'Stop these requests',
  },
};

/** The texts in one language; English has all of them. */
export type EmailTexts = typeof ENGLISH;
