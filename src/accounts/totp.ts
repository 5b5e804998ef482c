import { Secret, TOTP } from 'otpauth';
import type { UnixMs } from '../../machines/index.ts';

/** A new secret for an authenticator app: 160 random bits (RFC 4226, section 4, R6) in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What the app scans: an `otpauth:` address with the secret in it. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ ...FORM, issuer: ISSUER, label: email, secret }).toString();
}

/**
 * The time step (RFC 6238) a code belongs to; null when it is wrong. The step before and the one after are fine: clocks differ,
 * and people type.
 */
export function totpStepOf(secret: string, code: string, now: UnixMs): number | null {
  const delta = TOTP.validate({
    ...FORM,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp: now,
    window: STEPS_AROUND,
  });
  return delta === null ? null : TOTP.counter({ period: FORM.period, timestamp: now }) + delta;
}

/** Whether a text has the form of a code of an app. */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** Context of the sealed secret: it opens for this user alone. */
export function totpContext(userId: string): string {
  return `totp:${userId}`;
}

// Helpers

/** What every authenticator app knows. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const ISSUER = 'Quittance';
const SECRET_BYTES = 20;
const STEPS_AROUND = 1;
