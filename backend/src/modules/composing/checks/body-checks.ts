import type { BodyText } from './document-text.js';
import { type CheckItem, checkItemOf, type Finding, placeIn } from './check-item.js';
import type { CheckedMessage } from './checked-message.js';
import { KB } from '../../../shared/text/bytes.js';

/** Size in KB beyond which Gmail cuts off a message. */
const GMAIL_KB = 102;
/** A message with pictures is reported if it has fewer characters of text than this. */
const LITTLE_TEXT = 200;
const BLANK = /\[[^[\]\n]{1,80}\]/g;
/** Merge tags in the syntaxes of other tools. */
const FOREIGN_TAG =
  /%[A-Z][A-Z_]{1,40}%|(?<![{$%])\{\s?(?:first|last|full|contact|company|user)[_ .]?(?:name|email)?\s?\}(?!\})|\*\|[A-Z_:]{1,40}\|\*|<<\s?[A-Za-z_ ]{1,40}>>|\$\{\s?[A-Za-z_.]{1,60}\}|\[\[[A-Za-z_. ]{1,40}\]\]|\{%\s?[^%\n]{1,80}%\}/g;

/** Check items about the content of a message. */
export function bodyChecks(message: CheckedMessage, body: BodyText): CheckItem[] {
  const { subject, preheader, htmlBytes } = message;
  const parts = [
    ['subject', subject],
    ['preheader', preheader],
    ['content', body.text],
  ] as const;
  const matches = (pattern: RegExp, text: (n: number) => string): Finding | null => {
    const found = parts.flatMap(([part, given]) =>
      [...given.matchAll(pattern)].map(({ 0: word, index }) => ({
        word,
        place: placeIn(part, { from: index, to: index + word.length }),
      })),
    );
    if (found.length === 0) return null;
    return { text: text(found.length), words: found.map(({ word }) => word), where: found[0]!.place };
  };
  const isLarge = htmlBytes !== null && htmlBytes > GMAIL_KB * KB;
  const undescribed = body.pictures.filter(({ alt }) => alt.trim() === '');
  const hasPictures = body.pictures.length > 0;
  const isNearlyPicture = hasPictures && body.text.trim().length < LITTLE_TEXT;
  return [
    checkItemOf(
      'blanks',
      'warning',
      matches(BLANK, (n) => (n === 1 ? 'One blank is not filled in yet.' : `${n} blanks are not filled in yet.`)),
      'No blanks are left.',
    ),
    checkItemOf(
      'foreign_tag',
      'hint',
      matches(FOREIGN_TAG, () => 'This looks like a tag of another tool. Recipients would read it as it stands.'),
      'No tags of other tools.',
    ),
    checkItemOf(
      'html_size',
      'warning',
      isLarge
        ? {
            text: `The HTML part is ${Math.ceil(htmlBytes / KB)} KB. Gmail cuts at about ${GMAIL_KB} KB, and the unsubscribe link with it.`,
          }
        : null,
      `The message is short enough for Gmail.`,
    ),
    ...(hasPictures
      ? [
          checkItemOf(
            'picture_only',
            'warning',
            isNearlyPicture ? { text: 'The message is nearly all picture. Many inboxes show none at first.' } : null,
            'There is text beside the pictures.',
          ),
          checkItemOf(
            'picture_alt',
            'warning',
            undescribed.length > 0
              ? {
                  text:
                    undescribed.length === 1
                      ? 'A picture has no description for those who do not see it.'
                      : `${undescribed.length} pictures have no description for those who do not see them.`,
                  where: placeIn('content', { from: undescribed[0]!.at, to: undescribed[0]!.at }),
                }
              : null,
            'Pictures have descriptions.',
          ),
        ]
      : []),
  ];
}
