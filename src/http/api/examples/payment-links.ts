const LINK = {
  slug: 'spring-workshop',
  url: 'https://pay.example.com/l/7k2m9q4x0c5v',
  title: 'Spring workshop',
  description: 'Two days in May, with lunch',
  image_url: 'https://pay.example.com/images/e4db9934c5c82a2f34c12a35a23672970c029e744b30308c52490230ad257b9e',
  amount: 250,
  min_amount: null,
  max_amount: null,
  currency_fiat: 'EUR',
  cryptos: ['BTC', 'LTC'],
  success_url: 'https://shop.example.com/thanks',
  expires_at: '2027-05-01T00:00:00.000Z',
  max_uses: 20,
  uses: 0,
  excess_transaction_ids: [],
  state: 'open',
  created_at: '2026-11-21T09:00:00.000Z',
  closed_at: null,
};

export const CREATE_LINK_REQUEST = {
  slug: LINK.slug,
  title: LINK.title,
  description: LINK.description,
  // A green rectangle.
  image:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAYAAACtBE5DAAAAI0lEQVR4AZTJMQ0AAAwCwYa14uqk/jcwAAOf/HTYP7oxoR4EAAD//+vwcqMAAAAGSURBVAMAn2kKs7zAYI8AAAAASUVORK5CYII=',
  amount: LINK.amount,
  currency_fiat: LINK.currency_fiat,
  cryptos: LINK.cryptos,
  success_url: LINK.success_url,
  expires_at: LINK.expires_at,
  max_uses: LINK.max_uses,
};

const PAID = { ...LINK, uses: 3 };

export const NEW_LINK_RESPONSE = { success: true, data: LINK };
export const LINK_RESPONSE = { success: true, data: PAID };
export const LINKS_RESPONSE = {
  success: true,
  data: { links: [PAID], pagination: { limit: 20, offset: 0, total: 1 } },
};
export const CLOSED_LINK_RESPONSE = {
  success: true,
  data: { ...PAID, state: 'closed', closed_at: '2026-11-28T16:20:00.000Z' },
};
