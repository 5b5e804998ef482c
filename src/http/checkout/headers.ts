/**
 * Headers of every checkout response. Pages load nothing from other hosts and no script but their
 * own file, which is all the policy allows (CSP level 3). The URL of a page is a capability, so it
 * is not sent as referrer, not indexed and not cached.
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

/** Headers of uploaded images: opened on its own, an image can load and run nothing. */
export const IMAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
};

/** For files whose URL changes with their content. */
export const CACHE_FOR_EVER = 'public, max-age=31536000, immutable';
