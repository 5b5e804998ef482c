import { expect } from 'vitest';
import {
  closeLink,
  createLink,
  type LinkName,
  type LinkTerms,
  type NewLink,
  type PaymentLink,
} from '../../src/links/index.ts';
import type { ApiResponse, TestApp, TestMerchant } from '../support/service/app.ts';

/** Terms of a single-use link that costs 25 USD. */
export const SINGLE_USE: LinkTerms & Pick<NewLink, 'image'> = {
  title: 'Invoice 1042',
  description: null,
  image: null,
  price: { kind: 'fixed', cents: 2_500n },
  currency: 'USD',
  cryptos: [],
  successUrl: null,
  expiresAt: null,
  maxUses: 1,
};

/** Creates a link of a merchant in test mode, or as given. */
export function addLink(
  { connection, clock }: TestApp,
  merchant: TestMerchant,
  terms: Partial<NewLink> = {},
): Promise<PaymentLink> {
  const link = { merchantId: merchant.id, mode: 'test', slug: null, ...SINGLE_USE, ...terms } as const;
  return connection.db.transaction().execute((trx) => createLink({ trx, who: 'test', now: clock.now() }, link));
}

/** Closes a link as its merchant. */
export function shutLink({ connection, clock }: TestApp, name: LinkName): Promise<PaymentLink> {
  return connection.db.transaction().execute((trx) => closeLink({ trx, who: 'test', now: clock.now() }, name));
}

/** Query parameters; undefined leaves one out. */
export type PayParameters = Readonly<Record<string, string | undefined>>;

/** Browser cookies by client address. */
const jar = new Map<string, string>();

/**
 * Requests an address of `GET /pay` as the customer at `from`, without following the redirect. The
 * customer's browser keeps the redirect's cookie and sends it next time; `cookie` replaces it, and
 * null sends none.
 */
export async function pay(
  app: TestApp,
  parameters: PayParameters,
  {
    from = '192.0.2.1',
    accept = 'application/json',
    acceptLanguage,
    cookie = jar.get(from) ?? null,
    headers = {},
  }: {
    from?: string;
    accept?: string;
    acceptLanguage?: string;
    cookie?: string | null;
    headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<ApiResponse<unknown>> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.append(name, value);
  const path = `/pay?${query}`;
  const response = await app.call({
    path,
    key: null,
    remoteAddress: from,
    headers: {
      ...headers,
      accept,
      ...(acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage }),
      ...(cookie === null ? {} : { cookie }),
    },
  });
  const set = cookieOf(response);
  if (set !== null) jar.set(from, set);
  return response;
}

/** The cookie a response sets, as a browser sends it; null for none. */
export function cookieOf({ headers }: ApiResponse<unknown>): string | null {
  const [set] = [headers['set-cookie']].flat();
  return typeof set === 'string' ? (set.split(';')[0] ?? null) : null;
}

/** The transaction a redirect leads to. */
export function transactionOf({ status, headers, text }: ApiResponse<unknown>): string {
  expect({ status, text }).toEqual({ status: 302, text: '' });
  const [, id = ''] =
    /^https:\/\/pay\.example\.com\/transaction\/(txn_[0-9a-z]{26})$/.exec(String(headers.location)) ?? [];
  expect(id, String(headers.location)).not.toBe('');
  return id;
}
