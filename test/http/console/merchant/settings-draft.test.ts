import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toleranceBaseUnits } from '../../../../machines/index.ts';
import type { SettingsValues } from '../../../../src/http/console/merchant/settings/schemas.ts';
import {
  changeOf,
  hasMoved,
  problemsOf,
  shownTexts,
  textsOf,
} from '../../../../src/web/pages/merchant/settings/draft.ts';
import { basisPointsOf, completeFrom, percentText } from '../../../../src/web/pages/merchant/settings/percent.ts';
import { assertProperty } from '../../../support/run/fast-check.ts';

const LIMITS = {
  maxToleranceBasisPoints: 500,
  minWindowMinutes: 10,
  maxWindowMinutes: 1_440,
  maxMinConfirmations: 1_000,
};

const values: fc.Arbitrary<SettingsValues> = fc.record({
  toleranceBasisPoints: fc.integer({ min: 0, max: 500 }),
  windowMinutes: fc.option(fc.integer({ min: 10, max: 1_440 }), { nil: null }),
  minConfirmations: fc.integer({ min: 1, max: 1_000 }),
  refuseWhenNetworkLags: fc.boolean(),
  mailFirstPayment: fc.boolean(),
  mailLatePayment: fc.boolean(),
  mailNeedsAttention: fc.boolean(),
  mailUnassignedCoins: fc.boolean(),
  mailFailingWebhook: fc.boolean(),
  mailDailySummary: fc.boolean(),
  mailCustomerReceipt: fc.boolean(),
  mailCustomerLate: fc.boolean(),
  customerLanguage: fc.constantFrom('en', 'pl', 'pt'),
  logo: fc.constantFrom(null, 'a'.repeat(64), 'data:image/png;base64,iVBORw0KGgo='),
  brandColour: fc.constantFrom(null, '#0b6e4f', '#ffd21f'),
  supportContact: fc.constantFrom(null, 'help@shop.example', 'https://shop.example/help'),
  recommendedCrypto: fc.constantFrom(null, 'LTC', 'USDT'),
  contactEmail: fc.emailAddress(),
});

describe('the settings form', () => {
  test('keeps values across formatting and parsing', () => {
    assertProperty(
      fc.property(values, values, (saved, edited) => {
        expect(problemsOf(textsOf(edited), LIMITS)).toEqual({});
        const body = changeOf(textsOf(edited), { values: saved });
        expect({ ...saved, ...body?.changes }).toEqual(edited);
        // Changes are sent with their previous values, and nothing else is sent.
        for (const [name, value] of Object.entries(body?.changes ?? {})) {
          expect(value).not.toEqual(saved[name as keyof SettingsValues]);
          expect(body?.seen[name as keyof SettingsValues]).toEqual(saved[name as keyof SettingsValues]);
        }
        expect(Object.keys(body?.seen ?? {})).toEqual(Object.keys(body?.changes ?? {}));
        expect(body === null).toBe(JSON.stringify(saved) === JSON.stringify(edited));
      }),
    );
  });

  test('keeps the input, and shows what another user saved meanwhile', () => {
    assertProperty(
      fc.property(values, values, (begun, saved) => {
        const [from, now] = [textsOf(begun), textsOf(saved)];
        const draft = { tolerance: { value: '1.23', from: from.tolerance } };
        expect(shownTexts(draft, now)).toEqual({ ...now, tolerance: '1.23' });
        expect(hasMoved(draft, now, 'tolerance')).toBe(begun.toleranceBasisPoints !== saved.toleranceBasisPoints);
        expect(hasMoved(draft, now, 'window')).toBe(false);
      }),
    );
  });

  test('rejects invalid fields before sending', () => {
    const good = textsOf({
      toleranceBasisPoints: 50,
      windowMinutes: null,
      minConfirmations: 1,
      refuseWhenNetworkLags: false,
      mailFirstPayment: true,
      mailLatePayment: true,
      mailNeedsAttention: true,
      mailUnassignedCoins: true,
      mailFailingWebhook: true,
      mailDailySummary: false,
      mailCustomerReceipt: false,
      mailCustomerLate: false,
      customerLanguage: 'en',
      logo: null,
      brandColour: null,
      supportContact: null,
      recommendedCrypto: null,
      contactEmail: 'a@b.example',
    });
    for (const [field, texts] of [
      ['tolerance', ['', '-1', '5.01', '0.005', 'half', '1e1']],
      ['window', [' ', '9', '1441', '12.5', 'an hour']],
      ['confirmations', ['', '0', '1001', '1.5']],
      ['email', ['', 'nobody', 'a b@c.example']],
      ['colour', ['red', '#fff', '0b6e4f', '#0b6e4g']],
      ['support', ['help', 'http://shop.example', 'javascript:alert(1)', 'a b@c.example']],
    ] as const) {
      for (const text of texts) {
        expect(Object.keys(problemsOf({ ...good, [field]: text }, LIMITS)), text).toEqual([field]);
      }
    }
  });

  test('states a tolerance exactly as it will be applied', () => {
    assertProperty(
      fc.property(fc.integer({ min: 0, max: 500 }), (basisPoints) => {
        expect(basisPointsOf(percentText(basisPoints))).toBe(basisPoints);
        expect(basisPointsOf(`${percentText(basisPoints).replace('.', ',')} %`)).toBe(basisPoints);
        const cents = 10_000n - toleranceBaseUnits(10_000n, basisPoints);
        expect(completeFrom(basisPoints)).toBe(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
      }),
    );
    expect([percentText(50), completeFrom(50)]).toEqual(['0.5', '99.50']);
    expect([percentText(100), percentText(0), percentText(5)]).toEqual(['1', '0', '0.05']);
  });
});
