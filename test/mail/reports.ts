/** Delivery reports as mail servers write them, about an email with this Message-ID. */

export interface ReportOptions {
  readonly messageId: string;
  readonly action?: string;
  readonly status?: string;
  readonly diagnostic?: string;
}

/** Postfix returns the whole mail; `text/rfc822-headers` when it is large. */
export function postfixReport({
  messageId,
  action = 'failed',
  status = '5.1.1',
  diagnostic = 'smtp; 550 5.1.1 <zoe@customer.example>: Recipient address\n    rejected: User unknown in local recipient table',
  returns = 'message/rfc822',
}: ReportOptions & { readonly returns?: 'message/rfc822' | 'text/rfc822-headers' }): string {
  return `Return-Path: <>
Received: by mx.shop.example (Postfix)
\tid 4cXk2v1Zq3z9; Sat, 21 Nov 2026 10:00:02 +0000 (UTC)
Date: Sat, 21 Nov 2026 10:00:02 +0000 (UTC)
From: MAILER-DAEMON@mx.shop.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: pay@shop.example
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="4cXk2t5sWLz8.1795255202/mx.shop.example"
Content-Transfer-Encoding: 8bit
Message-Id: <20261121100002.4cXk2v1Zq3z9@mx.shop.example>

This is a MIME-encapsulated message.

--4cXk2t5sWLz8.1795255202/mx.shop.example
Content-Description: Notification
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

The mail system at mx.shop.example could not hand over your message.

--4cXk2t5sWLz8.1795255202/mx.shop.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.shop.example
X-Postfix-Queue-ID: 4cXk2t5sWLz8
X-Postfix-Sender: rfc822; pay@shop.example
Arrival-Date: Sat, 21 Nov 2026 10:00:01 +0000 (UTC)

Final-Recipient: rfc822; zoe@customer.example
Original-Recipient: rfc822;zoe@customer.example
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.customer.example
Diagnostic-Code: ${diagnostic}

--4cXk2t5sWLz8.1795255202/mx.shop.example
Content-Description: Undelivered Message
Content-Type: ${returns}

${returnedMail(messageId)}
--4cXk2t5sWLz8.1795255202/mx.shop.example--
`;
}

/** Exim reports 5.0.0 for every cause, and quotes the reply. */
export function eximReport({
  messageId,
  action = 'failed',
  status = '5.0.0',
  diagnostic = 'smtp; 550 5.1.1 No such user here',
}: ReportOptions): string {
  return `Received: from Debian-exim by mx.shop.example with local (Exim 4.96)
\tid 1vMabc-0003xY-1f
\tfor pay@shop.example; Sat, 21 Nov 2026 10:00:03 +0000
X-Failed-Recipients: zoe@customer.example
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.shop.example>
To: pay@shop.example
References: ${messageId}
Content-Type: multipart/report; report-type=delivery-status; boundary=1795255203-eximdsn-118724
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1vMabc-0003xY-1f@mx.shop.example>
Date: Sat, 21 Nov 2026 10:00:03 +0000

--1795255203-eximdsn-118724
Content-type: text/plain; charset=us-ascii

A message that you sent could not be delivered to one of its recipients.

--1795255203-eximdsn-118724
Content-type: message/delivery-status

Reporting-MTA: dns; mx.shop.example

Action: ${action}
Final-Recipient: rfc822;zoe@customer.example
Status: ${status}
Remote-MTA: dns; mx.customer.example
Diagnostic-Code: ${diagnostic}

--1795255203-eximdsn-118724
Content-type: message/rfc822

Return-path: <pay@shop.example>
${returnedMail(messageId)}
--1795255203-eximdsn-118724--
`;
}

/** Exchange nests the readable part, writes long codes, and returns the headers of the mail. */
export function exchangeReport({
  messageId,
  action = 'failed',
  status = '5.1.10',
  diagnostic = 'smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
}: ReportOptions): string {
  return `MIME-Version: 1.0
From: <postmaster@customer.example>
To: <pay@shop.example>
Date: Sat, 21 Nov 2026 10:00:04 +0000
Content-Type: multipart/report; report-type="delivery-status";
 boundary="_000_outer_"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: en-US
Message-ID: <b1f0@AM6PR01.customer.example>
In-Reply-To: ${messageId}
Subject: Undeliverable: Please confirm

--_000_outer_
Content-Type: multipart/alternative; boundary="_001_inner_";
 differences=Content-Type

--_001_inner_
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: base64

WcO2dXIgbWVzc2FnZSBjb3VsZG4ndCBiZSBkZWxpdmVyZWQu

--_001_inner_
Content-Type: text/html; charset="utf-8"
Content-Transfer-Encoding: quoted-printable

<html><body><p>Your message couldn=E2=80=99t be delivered.</p></body></html>

--_001_inner_--

--_000_outer_
Content-Type: message/delivery-status

Reporting-MTA: dns;AM6PR01.customer.example
Received-From-MTA: dns;mx.shop.example
Arrival-Date: Sat, 21 Nov 2026 10:00:03 +0000

Final-Recipient: rfc822;zoe@customer.example
Action: ${action}
Status: ${status}
Diagnostic-Code: ${diagnostic}
X-Display-Name: zoe@customer.example

--_000_outer_
Content-Type: message/rfc822

Received: from mx.shop.example by AM6PR01.customer.example; Sat, 21 Nov 2026 10:00:03 +0000
${returnedMail(messageId)}
--_000_outer_--
`;
}

// Helpers

/** As the transport writes them; some servers fold the Message-ID. */
function returnedMail(messageId: string): string {
  return `From: "Tea & Co." <pay@shop.example>
To: zoe@customer.example
Subject: Please confirm
Message-ID:
 ${messageId}
Date: Sat, 21 Nov 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Hello,

Message-ID: <eml_77777777777777777777777777@shop.example>
`;
}
