import { createHash } from 'node:crypto';
import type { ParsedMail } from 'mailparser';

/** Fields of one group of a report, keyed by lower-case name. A repeated field keeps its first value. */
export type ReportFields = ReadonlyMap<string, string>;

const MAX_GROUPS = 200;

/**
 * Parses groups of `Name: value` lines separated by blank lines, with folded lines joined: the body of
 * message/delivery-status (RFC 3464) and of message/feedback-report (RFC 5965). Skips malformed lines and never throws.
 */
export function readFieldGroups(body: string): ReportFields[] {
  const groups: ReportFields[] = [];
  for (const block of body.split(/\r?\n[ \t]*\r?\n/).slice(0, MAX_GROUPS)) {
    const fields = new Map<string, string>();
    for (const line of unfold(block).split(/\r?\n/)) {
      const [, name, value] = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)$/.exec(line) ?? [];
      const key = name?.toLowerCase();
      if (key && !fields.has(key)) fields.set(key, value!.trim());
    }
    if (fields.size > 0) groups.push(fields);
  }
  return groups;
}

/** Header fields of a message quoted in a report, up to the first blank line. */
export const readHeaderFields = (message: string): ReportFields =>
  readFieldGroups(message.replace(/^[\r\n]+/, ''))[0] ?? new Map<string, string>();

const unfold = (text: string): string => text.replace(/\r?\n[ \t]+/g, ' ');

/** Extracts the lower-case address from `rfc822; a@b`, `utf-8; a@b`, `<a@b>` or `a@b`; empty if there is none. */
export function addressOf(value = ''): string {
  const bare = value
    .replace(/^[a-z0-9-]+[ \t]*;/i, '')
    .trim()
    .replace(/^<|>$/g, '');
  return bare
    .replace(/\+([0-9A-F]{2})/g, (all, hex: string) =>
      hex === '2B' || hex === '3D' ? String.fromCharCode(Number.parseInt(hex, 16)) : all,
    )
    .toLowerCase();
}

/** The parts of a message's header that are needed to process a report. */
export interface MailHead {
  /** Values of the header fields that may name the recipient. */
  recipients: string[];
}

const RECIPIENT_FIELDS = new Set([
  'to',
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'x-delivered-to',
]);
/** Header fields that the parser gets: those that define the encoding of the body, and the message id. */
const KEPT_FIELDS = new Set(['content-type', 'content-transfer-encoding', 'mime-version', 'message-id']);
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_FIELD_BYTES = 4 * 1024;
const MAX_RECIPIENT_FIELDS = 50;

/**
 * Splits a message into header and body in linear time.
 * @returns the recipients, and the message with one copy of each of KEPT_FIELDS, so that the parser never sees other
 * header fields
 */
export function splitHead(raw: Buffer): { head: MailHead; parsable: Buffer } {
  const end = endOfHead(raw);
  const recipients: string[] = [];
  const kept = new Map<string, string>();
  for (const field of fieldsOf(raw.toString('latin1', 0, Math.min(end, MAX_HEAD_BYTES)))) {
    const colon = field.indexOf(':');
    const name = field.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (RECIPIENT_FIELDS.has(name) && recipients.length < MAX_RECIPIENT_FIELDS) recipients.push(field.slice(colon + 1));
    if (KEPT_FIELDS.has(name) && field.length <= MAX_FIELD_BYTES && !kept.has(name)) kept.set(name, field);
  }
  const head = [...kept.values(), '', ''].join('\r\n');
  return { head: { recipients }, parsable: Buffer.concat([Buffer.from(head, 'latin1'), raw.subarray(end)]) };
}

/** Offset of the body: right after the first empty line, or the end of the message if there is none. */
function endOfHead(raw: Buffer): number {
  for (let at = 0; at < raw.length;) {
    const newline = raw.indexOf(0x0a, at);
    if (newline < 0) return raw.length;
    if (newline === at || (newline === at + 1 && raw[at] === 0x0d)) return newline + 1;
    at = newline + 1;
  }
  return raw.length;
}

/** Header fields with folded lines joined. */
function fieldsOf(head: string): string[] {
  const fields: string[][] = [];
  for (const line of head.split('\n')) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (/^[ \t]/.test(text)) fields.at(-1)?.push(` ${text.trimStart()}`);
    else fields.push([text]);
  }
  return fields.map((lines) => lines.join(''));
}

/** A message that arrived at the bounce domain, reduced to the parts that the product processes. */
export interface MailReport {
  kind: 'delivery' | 'complaint' | 'none';
  /** Deduplication key: repeated copies of a report have the same key. */
  key: string;
  /** Addresses that may be the envelope sender of the reported mail. Only an address with our signature counts. */
  addresses: string[];
  /** Field groups of a delivery report, one per recipient. */
  recipients: ReportFields[];
}

/** Maximum bytes read of a report. The report precedes the returned message; the rest is discarded. */
export const REPORT_BYTES = 256 * 1024;

/** Maximum bytes in the header of a MIME part. */
const MAX_PART_HEAD = 64 * 1024;
/** Maximum MIME parts of a report. */
const MAX_PARTS = 100;
const COMPLAINTS = new Set(['abuse', 'fraud']);
const HEADERS_OF_ORIGINAL = /^(message\/(rfc822|global)|text\/rfc822-headers|message\/(rfc822|global)-headers)$/;
const STATUS = /^message\/(global-)?delivery-status$/;

/**
 * Parses incoming mail as a delivery report (RFC 3464, 6533), a complaint (RFC 5965 or Microsoft's format), or neither
 * (replies and other mail). Anyone may send mail here, and mailparser takes quadratic time for address lists and long
 * headers, so it gets only the header fields that are needed.
 */
export async function readMailReport(raw: Buffer): Promise<MailReport> {
  // mailparser is large and most processes never receive a report, so it is loaded on first use.
  const { simpleParser } = await import('mailparser');
  const source = raw.subarray(0, REPORT_BYTES);
  const { head, parsable } = splitHead(source);
  const mail = await simpleParser(parsable, {
    keepDeliveryStatus: true,
    maxHeadSize: MAX_PART_HEAD,
    maxChildNodes: MAX_PARTS,
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
  });
  const part = (type: RegExp): string | undefined =>
    mail.attachments.find((one) => type.test(one.contentType ?? ''))?.content.toString('utf8');
  const original = readHeaderFields(part(HEADERS_OF_ORIGINAL) ?? '');
  const key = mail.messageId?.slice(0, 300) ?? createHash('sha256').update(source).digest('hex');
  const feedback = part(/^message\/feedback-report$/i);
  if (feedback !== undefined) {
    const fields = readHeaderFields(feedback);
    const isComplaint = COMPLAINTS.has(fields.get('feedback-type')?.toLowerCase() ?? '');
    return {
      kind: isComplaint ? 'complaint' : 'none',
      key,
      recipients: [],
      addresses: [
        ...mailedTo(head),
        ...senderIn(fields.get('original-mail-from')),
        ...senderIn(original.get('return-path')),
      ],
    };
  }
  if (original.has('x-hmxmroriginalrecipient'))
    return {
      kind: 'complaint',
      key,
      recipients: [],
      addresses: [...mailedTo(head), ...senderIn(original.get('return-path'))],
    };
  const status = isReport(mail) ? part(STATUS) : undefined;
  // The first group describes the message, each further group one recipient.
  const recipients = readFieldGroups(status ?? '').filter(
    (group) => group.has('final-recipient') || group.has('original-recipient'),
  );
  return { kind: recipients.length > 0 ? 'delivery' : 'none', key, recipients, addresses: mailedTo(head) };
}

function isReport(mail: ParsedMail): boolean {
  const type = mail.headers.get('content-type') as { value?: string; params?: Record<string, string> } | undefined;
  return (
    type?.value?.toLowerCase() === 'multipart/report' &&
    type.params?.['report-type']?.toLowerCase() === 'delivery-status'
  );
}

/** Our signed addresses in the header's recipient fields, for a report that arrived without its envelope. */
const mailedTo = (head: MailHead): string[] => head.recipients.flatMap((line) => senderIn(line));

const senderIn = (text = ''): string[] => text.match(/[bs]-[a-z2-7]{26}-[a-z2-7]{10}@[a-z0-9.-]+/gi) ?? [];
