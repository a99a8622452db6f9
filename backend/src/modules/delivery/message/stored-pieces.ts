import {
  asTyped,
  type ComposedMessage,
  fillPieces,
  isTag,
  keyOf,
  type Piece,
  type TagPiece,
  tagsOf,
} from '../../../shared/merge-tags/pieces.js';
import { escapeHtml } from '../../../shared/text/html.js';

/** Stored form of a text with merge tags: strings alternate with indexes of tags, starting and ending with a string. */
export type StoredPieces = (string | number)[];
export type StoredTag = TagPiece;

export const STORED_VERSION = 1;

/** The columns of `send_messages` that contain the texts. */
export interface StoredMessage {
  subject: StoredPieces;
  preheaderPieces: StoredPieces | null;
  text: StoredPieces;
  html: StoredPieces | null;
  tags: StoredTag[];
}

export function toStored(message: ComposedMessage): StoredMessage {
  const tags = tagsOf(message);
  const indexes = new Map(tags.map((tag, index) => [keyOf(tag), index]));
  const store = (pieces: readonly Piece[]): StoredPieces => {
    const stored: StoredPieces = [''];
    for (const piece of pieces) {
      if (isTag(piece)) stored.push(indexes.get(keyOf(piece))!, '');
      else stored[stored.length - 1] += piece;
    }
    return stored;
  };
  return {
    subject: store(message.subject),
    preheaderPieces: message.preheader.length > 0 ? store(message.preheader) : null,
    text: store(message.text),
    html: message.html && store(message.html),
    tags,
  };
}

export function fromStored({ subject, preheaderPieces, text, html, tags }: StoredMessage): ComposedMessage {
  const read = (stored: StoredPieces): Piece[] =>
    stored.filter((part) => part !== '').map((part) => (typeof part === 'number' ? tags[part]! : part));
  return {
    subject: read(subject),
    preheader: preheaderPieces ? read(preheaderPieces) : [],
    text: read(text),
    html: html && read(html),
  };
}

/** A message with its merge tags as typed, for display. */
export function messageAsTyped({ subject, preheader, text, html }: ComposedMessage): ComposedMessage {
  const typed = (pieces: readonly Piece[]): Piece[] => [fillPieces(pieces, asTyped)];
  return {
    subject: typed(subject),
    preheader: typed(preheader),
    text: typed(text),
    html: html && [fillPieces(html, (tag) => escapeHtml(asTyped(tag)))],
  };
}
