import { storableText } from '../../shared/database/queries/storable-text.js';
import { MAX_RESPONSE_LENGTH, NAMES_THE_USER, UNKNOWN_ADDRESS } from '../../shared/mail/smtp/smtp-verdict.js';
import type { ReportFields } from './mail-report.js';

/** Classes of a refusal that a delivery report can tell; see decisions.md: bounce-classes. */
export type BounceClass = 'hard-address' | 'mailbox-soft' | 'expired' | 'policy';

export interface Bounce {
  class: BounceClass;
  /** Enhanced status code such as 5.1.1, where the report gives one. */
  code: string | null;
  /** Reason in words for people. */
  reason: string;
  /** The remote server's reply. */
  said: string | null;
}

const REASONS: Record<BounceClass, string> = {
  'hard-address': 'The mailbox does not exist',
  'mailbox-soft': 'The mailbox is full or does not take mail',
  expired: 'The other mail server could not be reached in time',
  policy: 'The other mail server refused the message',
};

/**
 * Classifies a recipient's group of a delivery report; null for a report without an end result (delayed, relayed,
 * delivered, expanded). Action decides first, then Status, then Diagnostic-Code. The text of the reply decides only
 * where Status is missing: the bounce is hard if the text names the user, else soft.
 */
export function bounceOf(group: ReportFields): Bounce | null {
  if (group.get('action')?.toLowerCase().split(/[\s(]/)[0] !== 'failed') return null;
  const said =
    storableText(group.get('diagnostic-code')?.replace(/^[a-z0-9-]+[ \t]*;[ \t]*/i, '') ?? '', MAX_RESPONSE_LENGTH) ||
    null;
  const status = enhancedCode(group.get('status'));
  const reply = enhancedCode(said ?? '');
  // x.0.0 carries no information; the code of the diagnostic may.
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
