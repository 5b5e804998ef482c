import type { MailConfig } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import { createMailer } from './smtp-transport.ts';

/**
 * Connects to the mail server, authenticates if there is a login, and disconnects; sends nothing.
 * Resolves with null on success, else with the reason, without the user and password.
 */
export async function tryMailLogin({ smtp }: Pick<MailConfig, 'smtp'>): Promise<string | null> {
  const mailer = await createMailer(smtp);
  try {
    await mailer.verify();
    return null;
  } catch (error) {
    const reason = messageOf(error);
    const { login } = smtp;
    return login === null
      ? reason
      : reason.replaceAll(login.password, '[redacted]').replaceAll(login.user, '[redacted]');
  } finally {
    mailer.close();
  }
}
