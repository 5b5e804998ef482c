import type { Page } from 'playwright-core';
import type { Shop } from './shop.ts';

/** A picture of the README. */
export interface Picture {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Brings the page to what the picture shows. */
  readonly open: (page: Page, shop: Shop) => Promise<void>;
}

export const PICTURES: readonly Picture[] = [
  {
    name: 'checkout',
    viewport: { width: 460, height: 900 },
    open: async (page, { paymentUrl }) => {
      await page.goto(paymentUrl, { waitUntil: 'networkidle' });
    },
  },
  {
    name: 'dashboard',
    viewport: { width: 1_280, height: 700 },
    open: async (page, { url, owner }) => {
      await page.goto(`${url}/console/`);
      await page.getByLabel('Email').fill(owner.email);
      await page.getByLabel('Password').fill(owner.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('link', { name: 'Payments', exact: true }).click();
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await page.getByRole('row').nth(1).waitFor();
    },
  },
];
