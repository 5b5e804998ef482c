import { readHexColour } from '../platform/contrast.ts';
import { isEmailAddress } from '../platform/email-address.ts';
import { TerminalError } from '../platform/errors.ts';
import { type MerchantSettings, withDefaults } from './settings.ts';

/** What customers see of a merchant besides its name. */
export type Brand = Pick<MerchantSettings, 'logo' | 'brandColour' | 'supportContact'>;

/** The brand in the stored settings of a merchant. */
export function brandOf(stored: Readonly<Record<string, unknown>>): Brand {
  const { logo, brandColour, supportContact } = withDefaults(stored);
  return { logo, brandColour, supportContact };
}

/** Throws `INVALID_REQUEST` (`TerminalError`), with `name` as the field, unless it is `#rrggbb`. */
export function readBrandColour(text: string, name: string): string {
  const colour = readHexColour(text);
  if (colour === null) throw invalid(name, 'must be a hex colour such as #0b6e4f');
  return colour;
}

/**
 * The email address or https URL in the form that is stored and shown. Throws `INVALID_REQUEST`
 * (`TerminalError`), with `name` as the field, for anything else.
 */
export function readSupportContact(text: string, name: string): string {
  const contact = text.trim();
  if (isEmailAddress(contact)) return contact;
  const url = URL.canParse(contact) ? new URL(contact) : null;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (isPlain && url.href.length <= MAX_URL_CHARACTERS) return url.href;
  throw invalid(
    name,
    `must be an email address such as help@shop.example, or an https:// URL of at most ${MAX_URL_CHARACTERS} characters`,
  );
}

/** The target of a link to a support contact; an email that it opens has `subject`. */
export function supportLink(contact: string, subject: string | null = null): string {
  if (!isEmailAddress(contact)) return contact;
  const [local = '', domain = ''] = contact.split('@');
  // RFC 6068: characters like ? and & in the local part would start fields of the email.
  const fields = subject === null ? '' : `?subject=${encodeURIComponent(subject)}`;
  return `mailto:${encodeURIComponent(local)}@${domain}${fields}`;
}

// Helpers

/** The contact is shown in full. */
const MAX_URL_CHARACTERS = 200;

function invalid(name: string, rule: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${rule}`, { field: name });
}
