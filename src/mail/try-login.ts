import type { MailConfig } from '../config/index.ts';
import { messageOf } from '../errors.ts';
import { createMailer } from './smtp-transport.ts';

/**
 * Connects to the mail server, logs in when there is a login, and says goodbye; nothing is sent. Resolves with null when all
 * of it worked, else with the reason, which repeats neither the password nor the user.
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
