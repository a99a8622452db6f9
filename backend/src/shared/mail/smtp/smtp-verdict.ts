import { storableText } from '../../database/queries/storable-text.js';

/** Maximum number of characters that are kept of a mail server's reply. */
export const MAX_RESPONSE_LENGTH = 500;

/** Classes of failures, as far as the SMTP dialogue reveals them. Only hard-address suppresses the address. */
export type FailureClass =
  | 'hard-address'
  | 'mailbox-soft'
  | 'transient'
  | 'policy'
  | 'sender'
  | 'connection'
  | 'content'
  | 'expired'
  | 'unknown-outcome';

/** Failures whose cause may have passed, so that the sender of the email may retry them. */
export const RETRYABLE_FAILURES = [
  'mailbox-soft',
  'transient',
  'expired',
  'connection',
] as const satisfies readonly FailureClass[];

/** What a failed attempt means for its recipient. */
export interface Verdict {
  /**
   * temporary: retry by the schedule; permanent: never retry; account: the server or account failed, not the recipient;
   * unknown: the message may have been delivered; revoked: the message was not sent.
   */
  kind: 'temporary' | 'permanent' | 'account' | 'unknown' | 'revoked';
  class: FailureClass;
  /** Explanation to show to people. */
  reason: string;
  code?: string;
  response?: string;
  /** Delay that the server asked for, in seconds. */
  retryAfterSeconds?: number;
}

/** nodemailer's error. `messageEnded` tells whether the message was transmitted completely. */
export interface SmtpFault extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  messageEnded?: boolean;
  /** Id of the mail account whose server answered. */
  account?: string;
}

const NETWORK = new Set([
  'ECONNECTION',
  'ETIMEDOUT',
  'ESOCKET',
  'EDNS',
  'ETLS',
  'ESTARTTLS',
  'EAUTH',
  'ENOAUTH',
  'EOAUTH2',
  'EPROTOCOL',
  'EPROXY',
  'EABORT',
  'EREQUIRETLS',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
]);
export const UNKNOWN_ADDRESS = new Set(['1.1', '1.2', '1.3', '1.6', '1.10', '2.1']);
/** Enhanced status code for a message that is too big (RFC 3463 §3.4), without its class. */
const TOO_LARGE = '3.4';
export const NAMES_THE_USER =
  /\b(user|mailbox|recipient|address|account)\b[^.]{0,40}\b(unknown|not found|does not exist|doesn't exist|no such|invalid|disabled)|\bno such (user|mailbox|recipient|address)|\bunknown (user|mailbox|recipient|address)/i;

/**
 * Judges a failure by SMTP phase and reply code together: a 550 is about the address at RCPT, the sender at MAIL, and
 * the content after DATA.
 */
export function verdictOf(fault: SmtpFault): Verdict {
  const status = fault.responseCode;
  if (!status) return withoutAnswer(fault);
  const enhanced = /\b[245]\.(\d{1,3}\.\d{1,3})\b/.exec(fault.response ?? '')?.[1];
  const base = {
    code: code(status, fault.response),
    response: fault.response && storableText(fault.response, MAX_RESPONSE_LENGTH),
  };
  const atRecipient = fault.command === 'RCPT TO';
  if (enhanced === TOO_LARGE || (status === 552 && fault.command === 'MAIL FROM'))
    return { ...base, ...tooLarge(status) };
  if (!atRecipient && fault.command !== 'DATA')
    return { ...base, kind: 'account', class: 'sender', reason: 'The mail server did not take mail from us' };
  if (status < 500) return { ...base, ...temporary(status, enhanced), retryAfterSeconds: askedPause(fault.response) };
  return { ...base, kind: 'permanent', ...permanent(status, enhanced, atRecipient, fault.response ?? '') };
}

function withoutAnswer(fault: SmtpFault): Verdict {
  if (fault.messageEnded)
    return { kind: 'unknown', class: 'unknown-outcome', reason: 'The mail server went away before it answered' };
  if (fault.code === 'EREVOKED') return { kind: 'revoked', class: 'transient', reason: 'Consent is asked for again' };
  if (NETWORK.has(fault.code ?? ''))
    return { kind: 'account', class: 'connection', code: fault.code, reason: 'The mail server could not be reached' };
  return {
    kind: 'permanent',
    class: 'content',
    response: storableText(fault.message, MAX_RESPONSE_LENGTH),
    reason: 'The message could not be made',
  };
}

/**
 * Verdict for a message that is too large. The size concerns only this message, even if the server refuses it at MAIL.
 */
const tooLarge = (status: number): Pick<Verdict, 'kind' | 'class' | 'reason'> =>
  status < 500
    ? {
        kind: 'temporary',
        class: 'transient',
        reason: 'The mail server does not take a message of this size at the moment',
      }
    : { kind: 'permanent', class: 'policy', reason: 'The message is too large for the mail server' };

function temporary(status: number, enhanced?: string): Pick<Verdict, 'kind' | 'class' | 'reason'> {
  const mailbox = status === 452 || enhanced?.startsWith('2.');
  return mailbox
    ? { kind: 'temporary', class: 'mailbox-soft', reason: 'The mailbox does not take mail at the moment' }
    : { kind: 'temporary', class: 'transient', reason: 'The mail server asked us to try again later' };
}

function permanent(
  status: number,
  enhanced: string | undefined,
  atRecipient: boolean,
  response: string,
): Pick<Verdict, 'class' | 'reason'> {
  if (enhanced === '2.2' || status === 552) return { class: 'mailbox-soft', reason: 'The mailbox is full' };
  const named = enhanced ? UNKNOWN_ADDRESS.has(enhanced) : status === 550 && NAMES_THE_USER.test(response);
  if (atRecipient && named) return { class: 'hard-address', reason: 'The mailbox does not exist' };
  if (atRecipient && enhanced?.startsWith('2.'))
    return { class: 'mailbox-soft', reason: 'The mailbox does not take mail' };
  return {
    class: 'policy',
    reason: atRecipient ? 'The mail server refused mail to this address' : 'The mail server refused the message',
  };
}

const code = (status: number, response = ''): string =>
  [status, /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0]].filter(Boolean).join(' ');

function askedPause(response = ''): number | undefined {
  const [, count, unit] = /\bin (\d{1,5}) ?(s|sec|second|m|min|minute|h|hour)s?\b/i.exec(response) ?? [];
  if (!count || !unit) return undefined;
  return Number(count) * { s: 1, m: 60, h: 3600 }[unit[0]!.toLowerCase() as 's' | 'm' | 'h'];
}
