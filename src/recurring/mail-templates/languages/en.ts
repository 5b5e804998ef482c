import type { MailTexts } from '../texts.ts';
import { datesIn } from './dates.ts';

/** The email templates in English. */
export const ENGLISH: MailTexts = {
  language: { code: 'en', greet: () => 'Hello,' },
  every: { weekly: 'every week', monthly: 'every month', quarterly: 'every three months', yearly: 'every year' },
  ...datesIn(
    'January February March April May June July August September October November December',
    (day, month, year) => `${day} ${month} ${year}`,
  ),
  testSubject: (subject) => `[Test] ${subject}`,
  testNotice: 'This is a test. Please do not send real coins.',
  names: {
    merchant: 'From',
    description: 'For',
    reference: 'Reference',
    amount: 'Amount',
    interval: 'How often',
    firstRequest: 'First request',
    count: 'How many',
    due: 'Due',
    period: 'Payment number',
  },
  confirmation: {
    subject: ({ merchant, amount, every }) => `Please confirm: ${amount} ${every} to ${merchant}`,
    opening: ({ merchant, amount, every }) =>
      `${merchant} would like to ask you for ${amount} ${every}. You will only be asked if you agree.`,
    fromConfirmation: 'as soon as you confirm',
    count: (maxPeriods, { merchant }) =>
      maxPeriods === null
        ? `no fixed number: until you or ${merchant} end it`
        : `${maxPeriods === 1 ? '1 request' : `at most ${maxPeriods} requests`}, then it ends by itself`,
    nothingMovesByItself:
      'No money moves by itself. Each time you get an email with a link, and you pay yourself, with your own wallet. No one can take anything from it. You can end this at any time.',
    confirm: 'Look at it and confirm',
    silenceIsNo: (expires) =>
      `You can confirm until ${expires}. If you do not want this, just do nothing: that is a no, and it ends by itself.`,
    why: ({ merchant }) => `You get this email because ${merchant} has given us your address.`,
    refuse: 'Say no now, and get no more emails about this',
  },
  request: {
    subject: ({ merchant, amount, due, reminder }) => {
      if (reminder === 'none') return `Payment request: ${amount} to ${merchant}, due ${due}`;
      return `${reminder === 'last' ? 'Last reminder' : 'Reminder'}: ${amount} to ${merchant}, due ${due}`;
    },
    opening: ({ merchant, amount, every, due, reminder }) => {
      if (reminder === 'none')
        return `Your payment of ${amount} to ${merchant}, which you agreed to make ${every}, is due.`;
      const number = reminder === 'last' ? 'the last reminder' : 'a reminder';
      return `This is ${number}: your payment of ${amount} to ${merchant}, due ${due}, has not arrived yet.`;
    },
    periodNo: (periodNo, maxPeriods) => (maxPeriods === null ? `${periodNo}` : `${periodNo} of ${maxPeriods}`),
    priceIsFixedWhenOpened:
      'The price in coins is fixed when you open the payment and holds for a short time. So open it when you are ready to pay; if the time runs out before you have paid, open it again. No money moves by itself.',
    alreadyPaid: 'If you have just paid, there is nothing more to do: the network may still be confirming it.',
    pay: ({ amount }) => `Pay ${amount}`,
    why: ({ merchant, every }) =>
      `You get this email because you agreed to payment requests from ${merchant} ${every}.`,
    stop: 'End these requests',
  },
};
