import { DateTime } from 'luxon';
import { DO_NOT_SEND_REASONS, type DoNotSendReason, type RuleKind } from '../contacts.constants.js';

/** Labels of the reasons for do-not-send entries, the same as on screens. */
export const REASON_LABELS: Readonly<Record<DoNotSendReason, string>> = {
  own_agency: 'Own agency',
  end_client: 'End client',
  competitor: 'Competitor',
  present_employer: 'Present employer',
  other: 'Other',
  asked_to_stop: 'They asked me to stop',
};

const BY_NAME = new Map<string, DoNotSendReason>(
  DO_NOT_SEND_REASONS.flatMap((reason) => [
    [reason, reason],
    [REASON_LABELS[reason].toLowerCase(), reason],
  ]),
);

/**
 * The reason with this label or code.
 * @returns undefined if there is none
 */
export const reasonNamed = (text: string): DoNotSendReason | undefined => BY_NAME.get(text.trim().toLowerCase());

/** The parts of a rule that are needed for texts about it. */
export interface WordedRule {
  value: string;
  reason: DoNotSendReason;
  createdAt: Date;
}

/** Prefix of the value of a rule after its person was erased; the hash follows the prefix. */
export const ERASED = 'erased:';
export const isErased = (value: string): boolean => value.startsWith(ERASED);
export const shownValue = (value: string): string => (isErased(value) ? 'an erased address' : value);

/**
 * Text for the report of a send: why a rule held a message back.
 * @param zone the account's time zone, for the time of day in the text
 */
function ruleWords({ value, reason, createdAt }: WordedRule, zone: string, now: Date): string {
  const since = DateTime.fromJSDate(createdAt).setZone(zone).setLocale('en-US');
  const at = DateTime.fromJSDate(now).setZone(zone);
  const format = since.hasSame(at, 'day') ? 'HH:mm' : since.hasSame(at, 'year') ? 'MMM d' : 'MMM d, yyyy';
  const why = reason === 'other' ? '' : ` (${REASON_LABELS[reason].toLowerCase()})`;
  return `On your do-not-send list since ${since.toFormat(format)}: ${shownValue(value)}${why}`;
}

/**
 * Why a rule leaves an address out, as text. The text about a masked address contains no address, because that would
 * reveal that the address is on the shared network.
 */
export function wordsFor(
  rule: WordedRule & { kind: RuleKind },
  zone: string,
  now: Date,
): { words: string; maskedWords: string } {
  const words = ruleWords(rule, zone, now);
  return { words, maskedWords: rule.kind === 'address' ? 'On your do-not-send list' : words };
}

/**
 * Reads the end of a rule. A date without a time means the end of that day in the account's time zone.
 * @returns null for a text that is neither a date nor a time
 */
export function readUntil(text: string, zone: string): Date | null {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = isDay ? DateTime.fromISO(text, { zone }).endOf('day') : DateTime.fromISO(text, { zone, setZone: true });
  return time.isValid && time.year <= 9999 ? time.toJSDate() : null;
}
