import type { Verdict } from '../../../shared/mail/smtp/smtp-verdict.js';

const NAMES_A_RATE =
  /too many|\brate\b|rate[- ]limit|thrott|slow down|temporarily deferred|unusual (rate|volume)|exceed/i;
/** Matches texts about a full mailbox, because these often call the mailbox's quota "exceeded" too. */
const NAMES_THE_MAILBOX = /quota|storage|mailbox|disk|\bfull\b/i;
const NAMES_OUR_MAIL = /too many|\brate\b|rate[- ]limit|thrott|slow down|connections?\b|messages\b/i;
/** Matches texts about a quota for our sending, as opposed to a mailbox's storage. */
const NAMES_OUR_QUOTA =
  /\b(send(er|ing)|outgoing|outbound|hourly|daily)\b.{0,20}\bquota|\bquota\b.{0,30}\byour (ip|account|network|host|server)\b/i;
const NAMES_A_RECIPIENT = /mailbox|storage|disk|\bfull\b|recipient/i;
const GREYLISTING = /gr[ae]y.?list/i;

/**
 * Whether a reply asks for a lower rate: 421, 4.3.2, 4.7.x, or a text that names a rate. A bare 4.7.1 counts only if
 * its text names a rate. Greylisting never counts, because it concerns one recipient, nor do replies about the mailbox
 * itself (4.2.x, or a text about a full mailbox).
 */
export function isRateRefusal({ kind, code = '', response = '' }: Verdict): boolean {
  if (kind !== 'temporary' || GREYLISTING.test(response)) return false;
  const [, subject, detail] = /\b4\.(\d{1,3})\.(\d{1,3})\b/.exec(`${code} ${response}`) ?? [];
  if (subject === '2') return false;
  if (code.startsWith('421') || (subject === '3' && detail === '2')) return true;
  if (subject === '7' && detail !== '1') return true;
  if (NAMES_OUR_QUOTA.test(response) && !NAMES_A_RECIPIENT.test(response)) return true;
  if (NAMES_THE_MAILBOX.test(response) && !NAMES_OUR_MAIL.test(response)) return false;
  return NAMES_A_RATE.test(response);
}
