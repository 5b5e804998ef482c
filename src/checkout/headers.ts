/**
 * What every answer of the checkout carries. The page needs nothing from anywhere else and no script but its own file, so
 * the policy allows exactly that (CSP level 3). The address of a page is a capability: it is sent to nobody as
 * referrer, found by no search engine and kept in no cache.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
};

/** For files whose address changes with their content. */
export const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';
