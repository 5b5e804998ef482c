import { tryMailLogin } from '../../../mail/index.ts';
import { type Check, type Examined, ok, problem, warning } from '../check.ts';

/** The SMTP server. */
export const MAIL_CHECKS: readonly Check[] = [{ name: 'mail', run: mail }];

// Helpers

async function mail({ config }: Examined) {
  if (config.mail === null) {
    if (config.signUpOpen)
      return problem(
        'SIGN_UP is on, but the emails that it requires cannot be sent',
        'Set SMTP_URL and MAIL_FROM, or SIGN_UP=off.',
      );
    return warning(
      'no SMTP server is configured: emails are stored but not sent',
      'Set SMTP_URL and MAIL_FROM to send emails to customers and merchants.',
    );
  }
  const { host, port, login, isTls } = config.mail.smtp;
  const address = `${host}:${port}`;
  const reason = await tryMailLogin(config.mail);
  if (reason !== null) {
    return problem(
      `cannot connect to ${address}: ${reason}`,
      'Check SMTP_URL: host, port, smtp:// or smtps://, user and password.',
    );
  }
  return ok(
    `${address} responds${login === null ? ', without a login' : ' and accepts the login'}${isTls ? ', over TLS' : ''}`,
  );
}
