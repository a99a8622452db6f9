import { type CheckItem, checkItemOf, placeIn } from './check-item.js';
import type { CheckedMessage } from './checked-message.js';

const REPLY = /^\s{0,5}(?:re|fw|fwd)\s?:/i;
const SHOWN_LENGTH = 70;
/** Subjects with fewer letters may be in capitals, because they are often abbreviations. */
const FEW_LETTERS = 8;
/** A word in capitals that is too long for an abbreviation. */
const LOUD_WORD = /\b\p{Lu}{5,}\b/u;

/** Check items about the subject. */
export function subjectChecks({ subject }: CheckedMessage): CheckItem[] {
  if (subject.trim() === '') return [];
  const reply = REPLY.exec(subject);
  const letters = [...subject].filter((one) => /\p{L}/u.test(one));
  const capitals = letters.filter((one) => /\p{Lu}/u.test(one)).length;
  const isShouting = letters.length >= FEW_LETTERS && capitals * 2 > letters.length && LOUD_WORD.test(subject);
  const whole = placeIn('subject', { from: 0, to: subject.length });
  return [
    checkItemOf(
      'subject_reply',
      'warning',
      reply && {
        text: `The subject begins with ${reply[0].trim().toUpperCase()} but this is no reply. US law forbids misleading subjects.`,
        words: [reply[0].trim()],
        where: placeIn('subject', { from: 0, to: reply[0].length }),
      },
      'The subject does not pose as a reply.',
    ),
    checkItemOf(
      'subject_length',
      'hint',
      subject.length > SHOWN_LENGTH
        ? {
            text: `The subject has ${subject.length} characters. Many inboxes show about ${SHOWN_LENGTH}.`,
            where: placeIn('subject', { from: SHOWN_LENGTH, to: subject.length }),
          }
        : null,
      'The subject is short enough to be read whole.',
    ),
    checkItemOf(
      'subject_capitals',
      'hint',
      isShouting ? { text: 'More than half of the subject is in capitals. Filters dislike that.', where: whole } : null,
      'The subject is not in capitals.',
    ),
  ];
}
