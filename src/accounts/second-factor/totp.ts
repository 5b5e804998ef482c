import { Secret, TOTP } from 'otpauth';
import type { UnixMs } from '../../../machines/index.ts';

/** A new authenticator secret: 160 random bits (RFC 4226, section 4, R6) in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth:` URI that the app scans; contains the secret. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ ...FORM, issuer: ISSUER, label: email, secret }).toString();
}

/**
 * The time step (RFC 6238) of a code; null when it is wrong. The previous and next step are
 * accepted, because clocks differ and typing takes time.
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

/** Whether the text has the form of a TOTP code. */
export function isTotpCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/** Context of the sealed secret, which opens only for this user. */
export function totpContext(userId: string): string {
  return `totp:${userId}`;
}

// Helpers

/** Parameters that every authenticator app supports. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const ISSUER = 'Quittance';
const SECRET_BYTES = 20;
const STEPS_AROUND = 1;
