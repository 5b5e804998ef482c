import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brandStyle, DARK, isReadable, LIGHT } from '../../../src/http/checkout/assets/brand-style.ts';
import { colourStylePath, findAsset } from '../../../src/http/checkout/assets.ts';
import { contrastOf, MIN_TEXT_CONTRAST, textColourOn } from '../../../src/platform/contrast.ts';
import { describePages } from '../../support/browser/describe-pages.ts';
import { assertProperty } from '../../support/run/fast-check.ts';
import { startSampleServer } from './sample-server.ts';

const colours = fc.integer({ min: 0, max: 0xffffff }).map((code) => `#${code.toString(16).padStart(6, '0')}`);

describe("a merchant's colour", () => {
  test('always has text that can be read on it, and is itself text only where it can be read', () => {
    assertProperty(
      fc.property(colours, (colour) => {
        expect(contrastOf(textColourOn(colour), colour)).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST);
        const [light = '', dark = ''] = brandStyle(colour).split('dark)');
        for (const [rules, scheme] of [
          [light, LIGHT],
          [dark, DARK],
        ] as const) {
          const surfaces = [scheme.ground, scheme.card, scheme.field];
          const least = Math.min(...surfaces.map((surface) => contrastOf(colour, surface)));
          expect(isReadable(colour, scheme)).toBe(least >= MIN_TEXT_CONTRAST);
          expect(rules.includes('--accent')).toBe(least >= MIN_TEXT_CONTRAST);
          expect(rules).toContain(`--button: ${colour}; --on-button: ${textColourOn(colour)};`);
        }
      }),
    );
    // By the formula of WCAG 2.2.
    expect([contrastOf('#ffffff', '#000000'), contrastOf('#777777', '#ffffff').toFixed(2)]).toEqual([21, '4.48']);
  });

  test('has a style sheet whose address follows from it, and no other name has one', () => {
    assertProperty(
      fc.property(colours, (colour) => {
        const name = colourStylePath(colour).replace('checkout/assets/', '');
        const found = findAsset(name);
        expect(found?.isCurrent).toBe(true);
        expect(found?.asset.body(null).bytes.toString()).toBe(brandStyle(colour));
        expect(findAsset(name.replace(/-\w{16}/, `-${'0'.repeat(16)}`))?.isCurrent).toBe(false);
      }),
    );
    for (const name of ['colour-red.css', 'colour-0b6e4f.css', 'colour-0b6e4f;}-0000000000000000.css']) {
      expect(findAsset(name)).toBeNull();
    }
  });
});

describePages('the payment page of a merchant with a look of its own', startSampleServer, (server, browser) => {
  test('shows its logo, colour and support contact, within the policy of the page', async () => {
    const { page, troubles, close } = await browser.open({ colorScheme: 'light' });
    await page.goto(server.pageOf('waiting, branded'));
    const look = await page.evaluate(
      "[document.querySelector('.logo').naturalWidth, ...['backgroundColor', 'color'].map((name) => getComputedStyle(document.getElementById('open-wallet'))[name])]",
    );
    expect(look).toEqual([6, 'rgb(255, 210, 31)', 'rgb(0, 0, 0)']);
    expect(await page.locator('#help').getAttribute('href')).toBe('mailto:help@bakery.example');
    await page.goto(server.pageOf('seen, branded'));
    expect(await page.locator('#help').getAttribute('href')).toMatch(/^https:\/\/help\.bakery\.example\//);
    // Where only the shop can help, the contact is not said twice.
    await page.goto(server.pageOf('late, branded'));
    expect(await page.locator('#contact').isVisible()).toBe(true);
    expect(await page.locator('#help').isVisible()).toBe(false);
    expect(troubles).toEqual([]);
    await close();
  });
});
