import { type EmailContent, paragraph } from '../../mail/index.ts';

/**
 * Email templates with links. Opening a link changes nothing, because mail
 * scanners open all of them.
 */
export const EMAIL_TEMPLATES = {
  invitation: (publicUrl: string, token: string, at: string): UserEmail => ({
    subject: `Your login for ${at}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `You can sign in for ${at} once you have chosen a password. The link works for 7 days.`,
      },
      { kind: 'link', text: 'Choose a password', url: invitationUrl(publicUrl, token) },
    ],
  }),
  passwordReset: (publicUrl: string, token: string): UserEmail => ({
    subject: 'Set a new password',
    blocks: [
      {
        kind: 'paragraph',
        text: 'A new password was requested for this address. The link works once, for an hour.',
      },
      { kind: 'link', text: 'Set a new password', url: consoleUrl(publicUrl, 'password-reset', token) },
      paragraph('If that was not you, ignore this email: your password stays as it is.'),
    ],
  }),
  signUp: (
    publicUrl: string,
    token: string,
    { merchantName, address }: { readonly merchantName: string; readonly address: string },
  ): UserEmail => ({
    subject: 'Confirm your address',
    blocks: [
      {
        kind: 'paragraph',
        text: 'An account was requested with this address. It is created once you choose a password. The link works once, for a day.',
      },
      {
        kind: 'details',
        details: [
          ['Shop', merchantName],
          ['Requested from', address],
        ],
      },
      {
        kind: 'link',
        text: 'Choose a password and create the account',
        url: consoleUrl(publicUrl, 'sign-up/confirm', token),
      },
      paragraph('If that was not you, ignore this email: no account is created.'),
    ],
    footer: 'You received this email because someone entered this address to sign up.',
  }),
  signUpOfKnown: (publicUrl: string): UserEmail => ({
    subject: 'You already have an account',
    blocks: [
      {
        kind: 'paragraph',
        text: 'Someone signed up with this address, which already has a login. Nothing was changed.',
      },
      { kind: 'link', text: 'Sign in', url: `${publicUrl}/console/sign-in` },
    ],
  }),
} as const;

// Helpers

/** Without a footer: that of an email to the address of a login. */
export type UserEmail = Pick<EmailContent, 'subject' | 'blocks'> & Partial<Pick<EmailContent, 'footer'>>;

/** Where an invited user chooses a password. */
export function invitationUrl(publicUrl: string, token: string): string {
  return consoleUrl(publicUrl, 'password-reset', token);
}

/** The part after `#` is not sent to servers, so no log contains a valid token. */
function consoleUrl(publicUrl: string, page: 'password-reset' | 'sign-up/confirm', token: string): string {
  return `${publicUrl}/console/${page}#${token}`;
}
