import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkTerms } from '../../src/links/check-terms.ts';
import { isSlug } from '../../src/links/code.ts';
import { type LinkTerms, listLinks } from '../../src/links/index.ts';
import { useApp } from '../http/api/support.ts';
import { describeBothDatabases, describeDatabases } from '../support/database/test-database.ts';
import { assertAsyncProperty } from '../support/run/fast-check.ts';
import { level } from '../support/run/level.ts';
import { addLink, SINGLE_USE, shutLink } from './links-app.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

const cents = fc.bigInt({ min: 100n, max: 100_000_000_000_000n });
const price: fc.Arbitrary<LinkTerms['price']> = fc.oneof(
  cents.map((each) => ({ kind: 'fixed' as const, cents: each })),
  fc.tuple(fc.option(cents), fc.option(cents)).map(([a, b]) => {
    const inOrder = a === null || b === null || a <= b;
    return { kind: 'open' as const, minCents: inOrder ? a : b, maxCents: inOrder ? b : a };
  }),
);
const words = (maxLength: number) =>
  fc.string({ unit: 'grapheme', maxLength }).filter((text) => text.length <= maxLength && !/\p{Cc}/u.test(text));
const terms: fc.Arbitrary<LinkTerms> = fc.record({
  title: words(99).map((text) => `T${text}`),
  description: fc.option(words(500)),
  price,
  currency: fc.constantFrom('USD', 'EUR', 'GBP', 'PLN'),
  cryptos: fc.subarray(['BTC', 'LTC', 'ETH', 'USDC']),
  successUrl: fc.option(fc.webUrl()),
  expiresAt: fc.option(fc.integer({ min: NOW * 2, max: NOW * 3 })),
  maxUses: fc.option(fc.integer({ min: 1, max: 1_000_000_000 })),
});

describeBothDatabases('payment links', (database) => {
  const { app } = useApp(database);

  test('a slug can be used once per merchant and mode, and never again', async () => {
    const [owner, other] = [await app().addMerchant(), await app().addMerchant()];
    await addLink(app(), owner, { slug: 'spring-sale' });
    await addLink(app(), owner, { slug: 'spring-sale', mode: 'live' });
    await addLink(app(), other, { slug: 'spring-sale' });
    await expect(addLink(app(), owner, { slug: 'spring-sale' })).rejects.toMatchObject({ code: 'LINK_EXISTS' });
    await shutLink(app(), { merchantId: owner.id, mode: 'test', slug: 'spring-sale' });
    await expect(addLink(app(), owner, { slug: 'spring-sale' })).rejects.toMatchObject({ code: 'LINK_EXISTS' });
    const tries = Array.from({ length: 8 }, () => addLink(app(), owner, { slug: 'raced' }));
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describeDatabases('payment link terms', (database) => {
  const { app } = useApp(database);

  test('a link is listed with the terms it was created with', async () => {
    const merchant = await app().addMerchant();
    const made: string[] = [];
    await assertAsyncProperty(
      fc.asyncProperty(terms, async (input) => {
        const link = await addLink(app(), merchant, input);
        made.push(link.slug);
        expect(link).toMatchObject({ ...input, uses: 0, excessUses: 0, closedAt: null });
        expect(isSlug(link.slug)).toBe(true);
        const listed = await listLinks(database().db, merchant.id);
        expect(listed.find(({ slug }) => slug === link.slug)).toEqual({ ...link, excessTransactionIds: [] });
      }),
      { numRuns: level.runs(40) },
    );
    expect(new Set(made).size).toBe(made.length);
  });

  test('closing is permanent, affects only the link of that merchant and mode, and is idempotent', async () => {
    const [owner, other] = [await app().addMerchant(), await app().addMerchant()];
    const { slug } = await addLink(app(), owner);
    for (const name of [
      { merchantId: other.id, mode: 'test', slug },
      { merchantId: owner.id, mode: 'live', slug },
      { merchantId: owner.id, mode: 'test', slug: 'another' },
    ] as const) {
      await expect(shutLink(app(), name)).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
    }
    const closed = await shutLink(app(), { merchantId: owner.id, mode: 'test', slug });
    expect(closed.closedAt).toBe(app().clock.now());
    app().clock.advance(1_000);
    expect(await shutLink(app(), { merchantId: owner.id, mode: 'test', slug })).toEqual(closed);
  });

  test.each<[string, Partial<LinkTerms> & { slug?: string }]>([
    ['a slug with capitals', { slug: 'Sale' }],
    ['a slug that is too short', { slug: 'ab' }],
    ['a slug that is too long', { slug: 'a'.repeat(65) }],
    ['a slug with a slash', { slug: 'a/b/c' }],
    ['a slug that ends in a hyphen', { slug: 'sale-' }],
    ['a slug with a line break', { slug: 'sale\n' }],
    ['no title', { title: '  ' }],
    ['a title that is too long', { title: 'x'.repeat(101) }],
    ['a title with a control character', { title: 'a\u0000b' }],
    ['a title that changes the direction of text', { title: 'a\u202eb' }],
    ['a broken surrogate in the description', { description: '\ud800' }],
    ['less than 1.00 USD', { price: { kind: 'fixed', cents: 99n } }],
    ['bounds below 1.00 USD', { price: { kind: 'open', minCents: null, maxCents: 99n } }],
    ['bounds the wrong way round', { price: { kind: 'open', minCents: 200n, maxCents: 199n } }],
    ['a coin there is not', { cryptos: ['LTC', 'XMR'] }],
    ['a coin twice', { cryptos: ['LTC', 'LTC'] }],
    ['an address that is no web address', { successUrl: 'javascript:alert(1)' }],
    ['an end in the past', { expiresAt: 1 }],
    ['no use at all', { maxUses: 0 }],
    ['half a use', { maxUses: 1.5 }],
  ])('a link with %s is rejected', async (_, wrong) => {
    await expect(addLink(app(), await app().addMerchant(), wrong)).rejects.toMatchObject({ code: 'INVALID_LINK' });
  });
});

test('a link whose expiry is the current time cannot be created', () => {
  expect(() => checkTerms({ ...SINGLE_USE, expiresAt: NOW }, NOW)).toThrow(/future/);
  expect(checkTerms({ ...SINGLE_USE, expiresAt: NOW + 1 }, NOW)).toBeUndefined();
});
