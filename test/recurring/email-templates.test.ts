import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REMINDERS_MS } from '../../machines/index.ts';
import { type EmailContent, renderEmail } from '../../src/mail/index.ts';
import { CUSTOMER_LANGUAGES } from '../../src/merchants/settings.ts';
import { confirmationEmail } from '../../src/recurring/email-templates/confirmation.ts';
import type {
  ConfirmationEmailInput,
  RequestEmailInput,
  ScheduleEmailInput,
} from '../../src/recurring/email-templates/inputs.ts';
import { requestEmail } from '../../src/recurring/email-templates/request.ts';
import { assertProperty } from '../support/run/fast-check.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const STOP_URL = `https://pay.example/recurring/stop/${TOKEN}`;
const DETAILS: ScheduleEmailInput = {
  merchantName: 'Tea & Co.',
  language: 'en',
  look: { logoUrl: null, colour: null },
  description: 'Your box of tea',
  reference: 'customer-7',
  amountFiat: '25',
  currencyFiat: 'EUR',
  interval: 'monthly',
  startAt: null,
  maxPeriods: null,
  isTest: false,
  stopUrl: STOP_URL,
};
const CONFIRM_URL = `https://pay.example/recurring/confirm/${TOKEN}`;
const PAY_URL = `https://pay.example/recurring/pay/${TOKEN}`;
const confirmation = (details: Partial<ConfirmationEmailInput> = {}) =>
  confirmationEmail({ ...DETAILS, confirmUrl: CONFIRM_URL, expiresAt: Date.UTC(2027, 1, 7, 9, 5), ...details });
const request = (details: Partial<RequestEmailInput> = {}) =>
  requestEmail({
    ...DETAILS,
    payUrl: PAY_URL,
    periodNo: 3,
    dueAt: Date.UTC(2027, 0, 31, 23, 59),
    reminder: 0,
    ...details,
  });

describe('the confirmation mail', () => {
  test('contains everything the customer agrees to, as text', () => {
    expect(renderEmail(confirmation()).text).toBe(`Hello,

Tea & Co. would like to request 25.00 EUR every month from you. Nothing is requested unless you agree.

From: Tea & Co.
For: Your box of tea
Reference: customer-7
Amount: 25.00 EUR
How often: every month
First request: as soon as you confirm
Number of payments: no fixed number: until you or Tea & Co. end the requests

No money moves automatically. For each payment you receive an email with a link, and you pay from your own wallet. No one can take anything from it. You can end the requests at any time.

Review and confirm:
${CONFIRM_URL}

You can confirm until 7 February 2027, 09:05 UTC. If you do not want this, ignore this email: the request then expires.

--
You received this email because Tea & Co. gave us your address.
Decline, and receive no more emails about this:
${STOP_URL}
`);
    expect(confirmation().subject).toBe('Please confirm: 25.00 EUR every month to Tea & Co.');
  });

  test('names the first day and the number of requests when they are set', () => {
    const details = detailsIn(confirmation({ startAt: Date.UTC(2027, 11, 31, 23, 30), maxPeriods: 12 }));
    expect(details).toMatchObject({
      'First request': '31 December 2027',
      'Number of payments': 'at most 12 requests, then they end',
    });
    expect(detailsIn(confirmation({ maxPeriods: 1 }))['Number of payments']).toBe('1 request, then they end');
  });

  test.each([
    ['weekly', 'every week'],
    ['monthly', 'every month'],
    ['quarterly', 'every three months'],
    ['yearly', 'every year'],
  ] as const)('writes %s as %s', (interval, words) => {
    expect(confirmation({ interval }).subject).toContain(`25.00 EUR ${words} to`);
    expect(detailsIn(confirmation({ interval }))['How often']).toBe(words);
  });

  test.each([
    ['25', '25.00'],
    ['25.5', '25.50'],
    ['25.55', '25.55'],
    ['0.01', '0.01'],
    ['1000000', '1000000.00'],
  ])('writes an amount of %s as %s', (amountFiat, shown) => {
    expect(detailsIn(confirmation({ amountFiat })).Amount).toBe(`${shown} EUR`);
  });

  test('omits the line of a missing reference', () => {
    expect(detailsIn(confirmation({ reference: null }))).not.toHaveProperty('Reference');
  });
});

describe('the request mail', () => {
  test('contains the amount due and where to pay it', () => {
    const content = request();
    expect(content.subject).toBe('Payment request: 25.00 EUR to Tea & Co., due 31 January 2027');
    expect(openingOf(content)).toBe(
      'Your payment of 25.00 EUR to Tea & Co., which you agreed to pay every month, is due.',
    );
    expect(detailsIn(content)).toEqual({
      From: 'Tea & Co.',
      For: 'Your box of tea',
      Reference: 'customer-7',
      Amount: '25.00 EUR',
      Due: '31 January 2027',
      'How often': 'every month',
      Payment: '3',
    });
    expect(content.blocks).toContainEqual({ kind: 'link', text: 'Pay 25.00 EUR', url: PAY_URL });
    const { text } = renderEmail(content);
    expect(text).toContain('The price in coins is fixed when you open the payment');
    expect(text).toContain(`because you agreed to payment requests from Tea & Co. every month.`);
    expect(text.endsWith(`Stop these requests:\n${STOP_URL}\n`)).toBe(true);
    expect(text).not.toContain('If you have just paid');
  });

  test('shows the payment number and the agreed total', () => {
    expect(detailsIn(request({ maxPeriods: 12 })).Payment).toBe('3 of 12');
  });

  test('differs from its reminders, which differ from each other, in the subject and the first sentence', () => {
    const mails = [0, ...REMINDERS_MS.map((_, index) => index + 1)].map((reminder) => request({ reminder }));
    expect(mails).toHaveLength(3);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Payment request: 25.00 EUR to Tea & Co., due 31 January 2027',
      'Reminder: 25.00 EUR to Tea & Co., due 31 January 2027',
      'Last reminder: 25.00 EUR to Tea & Co., due 31 January 2027',
    ]);
    expect(new Set(mails.map(openingOf)).size).toBe(3);
    expect(mails.slice(1).map((content) => renderEmail(content).text)).toEqual([
      expect.stringContaining('If you have just paid'),
      expect.stringContaining('If you have just paid'),
    ]);
  });
});

describe('every email', () => {
  test.each([
    ['confirmation', confirmation],
    ['request', request],
  ])('of a test schedule is marked as test in the subject and the text: %s', (_, write) => {
    const { subject, text } = renderEmail(write({ isTest: true }));
    expect(subject).toBe(`[Test] ${write().subject}`);
    expect(text).toContain('This is a test. Please do not send real coins.');
    expect(renderEmail(write()).text).not.toContain('test');
  });

  test('lets no merchant text become markup, a header, a line or an address', () => {
    const plain = writeAll(DETAILS);
    assertProperty(
      fc.property(hostile, hostile, fc.option(hostile), (merchantName, description, reference) => {
        const details = { ...DETAILS, merchantName, description, reference: reference ?? 'none' };
        for (const [index, content] of writeAll(details).entries()) {
          const expected = plain[index];
          if (expected === undefined) throw new Error('there are as many mails');
          const [rendered, usual] = [renderEmail(content), renderEmail(expected)];
          expect(tagsOf(rendered.html)).toEqual(tagsOf(usual.html));
          expect(rendered.subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          expect(rendered.text.split(LINE_BREAK)).toHaveLength(usual.text.split(LINE_BREAK).length);
          expect(`${rendered.subject}${rendered.text}${rendered.html}`).not.toMatch(TURNING);
        }
      }),
    );
  });

  test('shortens a name that would hide the subject, without splitting a character', () => {
    const content = confirmation({ merchantName: `${'🍵'.repeat(59)} a long name` });
    expect(content.subject).toBe(`Please confirm: 25.00 EUR every month to ${'🍵'.repeat(59)}…`);
    expect(detailsIn(content).From).toBe(`${'🍵'.repeat(59)} a long name`);
  });

  test.each(CUSTOMER_LANGUAGES)('has all its texts and dates in the language of the customers: %s', (language) => {
    const english = writeAll(DETAILS).map((content) => renderEmail(content));
    for (const [index, content] of writeAll({ ...DETAILS, language }).entries()) {
      const { subject, text, html } = renderEmail(content);
      expect(html).toContain(`lang="${language}"`);
      expect(text).toContain('25.00 EUR');
      expect(text).toContain('Tea & Co.');
      expect(text).not.toMatch(/undefined|\$\{/);
      const isEnglish = language === 'en';
      expect(subject === english[index]?.subject).toBe(isEnglish);
      expect(/January|February|every month|Hello/.test(`${subject}${text}`)).toBe(isEnglish);
      // The pages behind the links have the language of the mail.
      expect(text.includes(`?lang=${language}\n`)).toBe(!isEnglish);
    }
  });

  test('has the logo and the colour of the merchant', () => {
    const look = { logoUrl: 'https://pay.example/images/ab', colour: '#7a1fa2' };
    for (const content of writeAll({ ...DETAILS, look })) {
      const { html } = renderEmail(content);
      expect(html).toContain('src="https://pay.example/images/ab"');
      expect(html).toContain('#7a1fa2');
    }
  });
});

// Helpers

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;

const DANGEROUS = [
  ...'<>&"\'\r\n\t\v\0\u0085\u2028\u2029\u202e\u2066a '.split(''),
  '🍵',
  '\r\nBcc: eve@example.com\r\n',
  '</title><script>',
  '<a href="https://evil.example">',
  '--\n',
];

/** Texts made of what is dangerous in HTML, headers, lists of details and lines. */
const hostile = fc.array(fc.constantFrom(...DANGEROUS), { maxLength: 12 }).map((parts) => parts.join(''));

function writeAll(details: ScheduleEmailInput): EmailContent[] {
  return [confirmation(details), ...[0, 1, 2].map((reminder) => request({ ...details, reminder }))];
}

function tagsOf(html: string): readonly string[] {
  return html.match(/<[^>]*>/g) ?? [];
}

function detailsIn({ blocks }: EmailContent): Record<string, string> {
  return Object.fromEntries(blocks.flatMap((block) => (block.kind === 'details' ? block.details : [])));
}

function openingOf({ blocks }: EmailContent): string {
  const [first] = blocks;
  if (first?.kind !== 'paragraph') throw new Error('an email begins with a sentence');
  return first.text;
}
