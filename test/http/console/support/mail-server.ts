/**
 * Settings of a service with a mail server: where there is none, owners cannot invite. Nothing
 * listens at this address, so no email is sent.
 */
export const MAIL_SERVER = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'pay@shop.example' };
