import { randomBytes } from 'node:crypto';

export interface ReportGroup {
  recipient: string;
  original?: string;
  action?: string;
  status?: string;
  diagnostic?: string;
}

/** A delivery report like those of mail servers (RFC 3464). The samples were written for these tests. */
export function deliveryReport(
  to: string,
  groups: ReportGroup[],
  {
    messageId = `<${randomBytes(8).toString('hex')}@mx.people.test>`,
    text = 'Your message could not be delivered.',
  } = {},
): string {
  const group = ({ recipient, original, action = 'failed', status = '5.1.1', diagnostic }: ReportGroup) =>
    [
      original && `Original-Recipient: rfc822;${original}`,
      `Final-Recipient: rfc822; ${recipient}`,
      `Action: ${action}`,
      status && `Status: ${status}`,
      diagnostic && `Diagnostic-Code: smtp; ${diagnostic}`,
    ]
      .filter(Boolean)
      .join('\r\n');
  return multipart(to, messageId, 'report-type=delivery-status', [
    `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`,
    `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.people.test\r\nArrival-Date: Sat, 21 Nov 2026 06:30:00 +0000\r\n\r\n${groups.map(group).join('\r\n\r\n')}\r\n`,
    'Content-Type: message/rfc822\r\n\r\nSubject: Senior Java developer\r\nFrom: no-reply@staffcast.test\r\n\r\nHello\r\n',
  ]);
}

/** A complaint like those of feedback loops (RFC 5965). */
export function complaint(
  to: string,
  mailFrom: string,
  { type = 'abuse', version = '1', inOriginal = false, recipient = 'redacted' } = {},
): string {
  return multipart(to, `<${randomBytes(8).toString('hex')}@fbl.test>`, 'report-type=feedback-report', [
    'Content-Type: text/plain\r\n\r\nThis is an email abuse report.\r\n',
    `Content-Type: message/feedback-report\r\n\r\nFeedback-Type: ${type}\r\nUser-Agent: SomeGenerator/1.0\r\nVersion: ${version}\r\n${inOriginal ? '' : `Original-Mail-From: <${mailFrom}>\r\n`}Original-Rcpt-To: <${recipient}>\r\n`,
    `Content-Type: message/rfc822\r\n\r\n${inOriginal ? `Return-Path: <${mailFrom}>\r\n` : ''}Subject: Senior Java developer\r\nFrom: no-reply@staffcast.test\r\n\r\nHello\r\n`,
  ]);
}

function multipart(to: string, messageId: string, parameter: string, parts: string[]): string {
  const boundary = `=_${randomBytes(6).toString('hex')}`;
  return (
    `From: Mail Delivery System <MAILER-DAEMON@mx.people.test>\r\nTo: ${to}\r\nSubject: Undelivered Mail Returned to Sender\r\nMessage-ID: ${messageId}\r\nAuto-Submitted: auto-replied\r\n` +
    `MIME-Version: 1.0\r\nContent-Type: multipart/report; ${parameter};\r\n\tboundary="${boundary}"\r\n\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
  );
}
