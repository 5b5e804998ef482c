import { expect, test } from 'vitest';
import type { MailPreview } from '../../../../src/http/console/merchant/settings/schemas.ts';
import { CUSTOMER_LANGUAGES } from '../../../../src/merchants/index.ts';
import { EMAIL_LABELS } from '../../../../src/web/pages/merchant/settings/email-labels.ts';
import { describeConsole } from '../support/describe-console.ts';

const PATH = '/merchant/settings/mail';
/** What a template leaves behind when it lacks a value. */
const HOLES = /\b(undefined|null|NaN)\b|\[object|\$\{/;

/** In the language of the shop's customers; all others are in English. */
const TO_CUSTOMERS = [
  'receipt',
  'late',
  'confirmed_late',
  'mixed_late',
  'recurring_confirmation',
  'recurring_request',
  'recurring_reminder',
];

describeConsole('previews of mails', {}, (console) => {
  const preview = async (kind: string, language: string): Promise<MailPreview> => {
    const response = await console.call('staff', { path: `${PATH}?kind=${kind}&language=${language}` });
    expect(response.status, response.text).toBe(200);
    return response.data;
  };

  test.each(Object.keys(EMAIL_LABELS))('show %s in every language, complete', async (kind) => {
    const texts = new Set<string>();
    for (const language of CUSTOMER_LANGUAGES) {
      const { subject, text, html } = await preview(kind, language);
      for (const part of [subject, text, html]) {
        expect(part.trim()).not.toBe('');
        expect(part).not.toMatch(HOLES);
      }
      // At least a greeting, a paragraph, and the reason for the mail.
      expect(text.split('\n\n').length).toBeGreaterThan(3);
      const isTranslated = TO_CUSTOMERS.includes(kind);
      expect(html).toContain(`<html lang="${isTranslated ? language : 'en'}">`);
      if (isTranslated) texts.add(subject);
    }
    expect(texts.size === 0 || texts.size === CUSTOMER_LANGUAGES.length).toBe(true);
  });

  test('differ in their subjects, and name the shop they are for', async () => {
    const mails = await Promise.all(Object.keys(EMAIL_LABELS).map((kind) => preview(kind, 'en')));
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(mails.length);
    const { data } = await console.call('owner', { path: '/merchant/settings' });
    expect(mails.filter(({ text }) => !text.includes(data.name))).toEqual([]);
  });

  test('reject unknown kinds and languages by name', async () => {
    for (const [query, field] of [
      ['kind=invoice', 'kind'],
      ['kind=receipt&language=xx', 'language'],
    ] as const) {
      const response = await console.call('owner', { path: `${PATH}?${query}` });
      expect(response).toMatchObject({ status: 400, error: 'INVALID_REQUEST' });
      expect(response.message).toContain(field);
    }
  });
});
