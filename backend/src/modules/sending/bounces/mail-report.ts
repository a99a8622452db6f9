import { createHash } from 'node:crypto';
import type { ParsedMail } from 'mailparser';
import { splitHead, type MailHead } from './mail-head.js';
import { readFieldGroups, readHeaderFields, type ReportFields } from './report-fields.js';

/** A message that came in at the bounce domain, as far as we act on it. */
export interface MailReport {
  kind: 'delivery' | 'complaint' | 'none';
  /** Tells a repeated report from another one. */
  key: string;
  /** Addresses that may be the envelope sender of the mail it speaks of; only our signature in one counts. */
  addresses: string[];
  /** Of a delivery report: a group for each recipient. */
  recipients: ReportFields[];
}

/** What stands before the returned message is all that we need; the rest is cut off unread. */
export const REPORT_BYTES = 256 * 1024;

/** Of the head of a part, and of the parts of a report. */
const MAX_PART_HEAD = 64 * 1024;
const MAX_PARTS = 100;
const COMPLAINTS = new Set(['abuse', 'fraud']);
const HEADERS_OF_ORIGINAL = /^(message\/(rfc822|global)|text\/rfc822-headers|message\/(rfc822|global)-headers)$/;
const STATUS = /^message\/(global-)?delivery-status$/;

/**
 * Reads a delivery report (RFC 3464, 6533), a complaint (RFC 5965 or Microsoft's own shape) or neither: answers and plain mail.
 * Anyone may send one: the library's parsing of address lists and long heads takes quadratic time, so it gets only the few fields that
 * are needed of a head.
 */
export async function readMailReport(raw: Buffer): Promise<MailReport> {
  // Large, and most processes never see a report: loaded with the first one.
  const { simpleParser } = await import('mailparser');
  const source = raw.subarray(0, REPORT_BYTES);
  const { head, parsable } = splitHead(source);
  const mail = await simpleParser(parsable, { keepDeliveryStatus: true, maxHeadSize: MAX_PART_HEAD, maxChildNodes: MAX_PARTS, skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true, skipImageLinks: true });
  const part = (type: RegExp): string | undefined => mail.attachments.find((one) => type.test(one.contentType ?? ''))?.content.toString('utf8');
  const original = readHeaderFields(part(HEADERS_OF_ORIGINAL) ?? '');
  const key = mail.messageId?.slice(0, 300) ?? createHash('sha256').update(source).digest('hex');
  const feedback = part(/^message\/feedback-report$/i);
  if (feedback !== undefined) {
    const fields = readHeaderFields(feedback);
    const isComplaint = COMPLAINTS.has(fields.get('feedback-type')?.toLowerCase() ?? '');
    return { kind: isComplaint ? 'complaint' : 'none', key, recipients: [], addresses: [...mailedTo(head), ...senderIn(fields.get('original-mail-from')), ...senderIn(original.get('return-path'))] };
  }
  if (original.has('x-hmxmroriginalrecipient')) return { kind: 'complaint', key, recipients: [], addresses: [...mailedTo(head), ...senderIn(original.get('return-path'))] };
  const status = isReport(mail) ? part(STATUS) : undefined;
  // The first group speaks of the message, the others each of one recipient.
  const recipients = readFieldGroups(status ?? '').filter((group) => group.has('final-recipient') || group.has('original-recipient'));
  return { kind: recipients.length > 0 ? 'delivery' : 'none', key, recipients, addresses: mailedTo(head) };
}

function isReport(mail: ParsedMail): boolean {
  const type = mail.headers.get('content-type') as { value?: string; params?: Record<string, string> } | undefined;
  return type?.value?.toLowerCase() === 'multipart/report' && type.params?.['report-type']?.toLowerCase() === 'delivery-status';
}

/** For a report that came without its envelope. */
const mailedTo = (head: MailHead): string[] => head.recipients.flatMap((line) => senderIn(line));

const senderIn = (text = ''): string[] => text.match(/[bs]-[a-z2-7]{26}-[a-z2-7]{10}@[a-z0-9.-]+/gi) ?? [];
