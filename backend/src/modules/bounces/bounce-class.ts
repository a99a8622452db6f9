import { storableText } from '../../shared/database/queries/storable-text.js';
import { MAX_RESPONSE_LENGTH, NAMES_THE_USER, UNKNOWN_ADDRESS } from '../../shared/mail/smtp/smtp-verdict.js';
import type { ReportFields } from './mail-report.js';

/** Classes of bounce that a delivery report can reveal; see decisions.md: bounce-classes. */
export type BounceClass = 'hard-address' | 'mailbox-soft' | 'expired' | 'policy';

export interface Bounce {
  class: BounceClass;
  /** Enhanced status code such as 5.1.1; null if the report has none. */
  code: string | null;
  /** Human-readable reason. */
  reason: string;
  /** The remote server's reply; null if the report does not quote it. */
  said: string | null;
}

const REASONS: Record<BounceClass, string> = {
  'hard-address': 'The mailbox does not exist',
  'mailbox-soft': 'The mailbox is full or does not take mail',
  expired: 'The other mail server could not be reached in time',
  policy: 'The other mail server refused the message',
};

/**
 * Classifies one recipient's field group of a delivery report. The Status code decides; if Status is missing or
 * generic, the code in Diagnostic-Code decides. Without an enhanced code, a 550 reply that names the user is a hard
 * bounce.
 * @returns null unless the report says that delivery failed; delayed, relayed, delivered and expanded are not bounces
 */
export function bounceOf(group: ReportFields): Bounce | null {
  if (group.get('action')?.toLowerCase().split(/[\s(]/)[0] !== 'failed') return null;
  const said =
    storableText(group.get('diagnostic-code')?.replace(/^[a-z0-9-]+[ \t]*;[ \t]*/i, '') ?? '', MAX_RESPONSE_LENGTH) ||
    null;
  const status = enhancedCode(group.get('status'));
  const reply = enhancedCode(said ?? '');
  // A generic 5.0.0 says little; the code in Diagnostic-Code may say more. A generic 4.0.0 is kept, because it decides
  // the class.
  const code = status && !/\.0\.0$/.test(status) ? status : status?.startsWith('4.') ? status : (reply ?? status);
  const name = classOf(code, said ?? '');
  return { class: name, code, reason: REASONS[name], said };
}

function classOf(code: string | null, said: string): BounceClass {
  const reply = /(?:^|[^\d.])([245]\d\d)(?=[\s-]|$)/.exec(said)?.[1];
  if (code?.startsWith('4.')) return /^4\.2\./.test(code) ? 'mailbox-soft' : 'expired';
  const detail = code?.slice(2);
  if (detail && UNKNOWN_ADDRESS.has(detail)) return 'hard-address';
  if (detail?.startsWith('2.') || reply === '552' || reply === '452') return 'mailbox-soft';
  if (detail && /^[13567]\./.test(detail)) return 'policy';
  if (detail?.startsWith('4.')) return 'expired';
  return !code && reply === '550' && NAMES_THE_USER.test(said) ? 'hard-address' : 'mailbox-soft';
}

const enhancedCode = (text = ''): string | null =>
  /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(text)?.[1] ?? null;
