import { mailSender, smtpUrl } from '../mail.ts';
import * as read from '../parsers.ts';
import { secret, setting, token } from './setting.ts';

/** Webhooks to merchants and emails to merchants and customers. */
export const OUTGOING_SETTINGS = {
  webhookAllowCidrs: setting(
    'WEBHOOK_ALLOW_CIDRS',
    '(none)',
    'Private address blocks that webhooks may be sent to, such as 10.1.0.0/16,fd00::/8.',
    read.cidrs({ allowAny: true }),
  ),
  webhookAllowHttp: setting(
    'WEBHOOK_ALLOW_HTTP',
    'false',
    'Whether webhook URLs may be plain http. Only for receivers in your own network.',
    read.trueOrFalse,
  ),
  webhookAllowPorts: setting(
    'WEBHOOK_ALLOW_PORTS',
    '(none)',
    'Ports below 1024 that webhooks may be sent to, such as 81,591. 80, 443 and ports from 1024 up are always allowed.',
    read.ports,
  ),
  smtpUrl: secret(
    'SMTP_URL',
    '(none: emails are stored but not sent)',
    'SMTP server for outgoing email, such as smtp://user:password@mail.example:587 (STARTTLS) or smtps://… (TLS, port ' +
      '465). Requires MAIL_FROM.',
    smtpUrl,
  ),
  mailFrom: setting(
    'MAIL_FROM',
    '(none)',
    'Sender of emails: an address, or a name and an address such as `Shop payments <pay@shop.example>`. Requires SMTP_URL.',
    mailSender,
  ),
  mailBounceSecret: secret(
    'MAIL_BOUNCE_SECRET',
    '(none: there is no such page)',
    'Token for POST /v1/mail/bounces, which receives bounced emails: at least 24 characters without spaces. ' +
      'Generate it with `openssl rand -hex 32`.',
    token(24),
  ),
} as const;
