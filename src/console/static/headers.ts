import { createHash } from 'node:crypto';
import { MAIL_STYLES } from '../../mail/index.ts';

/**
 * Previews of mails inherit the policy of their page, so it permits exactly the styles of mails.
 */
const MAIL_STYLE_HASHES = MAIL_STYLES.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);

/**
 * Headers of every file of the console. Pages need only their own files and the API, nothing
 * inline but the styles of mails, and may not be framed (CSP level 3).
 */
export const APP_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'unsafe-hashes' ${MAIL_STYLE_HASHES.join(' ')}`,
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

/** For files with a content hash in their name. */
export const KEPT_FOR_EVER = 'public, max-age=31536000, immutable';
/** For files with a fixed name: revalidated on each request, with 304 while unchanged. */
export const ASKED_EACH_TIME = 'no-cache';
