import {
  type ComposedMessage,
  contactTagsOf,
  isTag,
  type Piece,
  replaceTags,
  type TagPiece,
  tagsOf,
} from '../../../shared/merge-tags/pieces.js';
import { cleanValue } from '../../../shared/merge-tags/values.js';
import { escapeHtml } from '../../../shared/text/html.js';
import { emptySubject, tooManyContactTags, tooManyTags, unknownMergeTag } from './merge-tag.errors.js';
import { labelOf, type TagCatalogue } from './tag-catalogue.js';
import { refuseTagInLink } from './tag-in-link.js';
import { suggestionFor } from './tag-suggestion.js';
import { fallbackOf } from './tag-syntax.js';

/** Maximum number of tags of a message. Each one is filled in for every recipient. */
const MAX_TAGS = 500;
/**
 * Maximum number of distinct contact tags of a message. Each one is an expression in the query that reads the contacts.
 */
const MAX_CONTACT_TAGS = 50;

/**
 * Checks the tags of a message, and fills in those with the same value for all recipients. Tags of the contact and the
 * list's name remain.
 * @throws 400 for an unknown tag, for a tag in a URL, for too many tags, and if the subject could be empty
 */
export function resolveTags(message: ComposedMessage, catalogue: TagCatalogue): ComposedMessage {
  const { subject, preheader, text, html } = message;
  const count = [...subject, ...preheader, ...text, ...(html ?? [])].filter(isTag).length;
  if (count > MAX_TAGS) throw tooManyTags(MAX_TAGS);
  for (const { tag } of tagsOf(message))
    if (!catalogue.has(tag)) throw unknownMergeTag(tag, suggestionFor(tag, catalogue));
  const constant = (tag: TagPiece): string | undefined => {
    const value = catalogue.get(tag.tag)!.value;
    return value === undefined ? undefined : cleanValue(value) || (fallbackOf(tag.fallback) ?? '');
  };
  const resolve = (pieces: readonly Piece[], escape = (value: string): string => value): Piece[] =>
    replaceTags(
      pieces.map((piece) => (isTag(piece) ? normalised(piece, catalogue) : piece)),
      (tag) => {
        const value = constant(tag);
        return value === undefined ? undefined : escape(value);
      },
    );
  const resolved = {
    subject: resolve(subject),
    preheader: resolve(preheader),
    text: resolve(text),
    html: html && resolve(html, escapeHtml),
  };
  if (contactTagsOf(resolved).length > MAX_CONTACT_TAGS) throw tooManyContactTags(MAX_CONTACT_TAGS);
  refuseTagInLink(resolved.text);
  refuseEmptySubject(resolved.subject, catalogue);
  return resolved;
}

function normalised({ tag, fallback }: TagPiece, catalogue: TagCatalogue): TagPiece {
  const { labels, profile } = catalogue.get(tag) ?? {};
  return { tag, fallback: fallbackOf(fallback), ...(labels && { labels }), ...(profile && { profile }) };
}

function refuseEmptySubject(subject: readonly Piece[], catalogue: TagCatalogue): void {
  const tags = subject.filter(isTag);
  const isSafe = subject.some((piece) =>
    isTag(piece) ? piece.fallback !== null || !catalogue.get(piece.tag)!.perContact : /\S/.test(piece),
  );
  if (!isSafe && tags.length > 0) throw emptySubject(labelOf(tags[0]!, catalogue));
}
