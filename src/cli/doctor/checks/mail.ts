import { tryMailLogin } from '../../../mail/index.ts';
import { type Check, type Examined, ok, problem, warning } from '../check.ts';

/** The SMTP server. */
export const MAIL_CHECKS: readonly Check[] = [{ name: 'mail', run: mail }];

// Helpers

async function mail({ config }: Examined) {
  if (config.mail === null) {
    if (config.signUpOpen)
      return problem(
        'SIGN_UP is on, and the mail that it needs is not sent',
        'Set SMTP_URL and MAIL_FROM, or SIGN_UP=off.',
      );
    return warning(
      'there is no mail server: emails are kept and not sent',
      'Set SMTP_URL and MAIL_FROM, if customers or merchants are to get any.',
    );
  }
  const { host, port, login, isTls } = config.mail.smtp;
  const place = `${host}:${port}`;
  const reason = await tryMailLogin(config.mail);
  if (reason !== null) {
    return problem(
      `${place} cannot be used: ${reason}`,
      'Check SMTP_URL: host, port, smtp:// or smtps://, user and password.',
    );
  }
  return ok(
    `${place} answers${login === null ? ', without a login' : ' and takes the login'}${isTls ? ', over TLS' : ''}`,
  );
}
