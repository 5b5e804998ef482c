/**
 * What every file of the console carries. Pages need nothing but their own files and the API beside them, nothing inline, and
 * nobody may frame them (CSP level 3).
 */
export const APP_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
};

/** For files whose name changes with their content. */
export const KEPT_FOR_EVER = 'public, max-age=31536000, immutable';
/** For those that keep theirs: asked for each time, answered with 304 while they are the same. */
export const ASKED_EACH_TIME = 'no-cache';
