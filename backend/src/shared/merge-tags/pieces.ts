/** A merge tag within a text. Its fallback replaces it for recipients without a value. */
export interface TagPiece {
  tag: string;
  fallback: string | null;
  /**
   * Labels of the list columns that may hold the value; the first column with a value counts. Absent for built-in
   * fields.
   */
  labels?: string[];
  /** Name of the profile field that may hold the value. A value there takes precedence over the list columns. */
  profile?: string;
}

/** A part of a text that was split at its merge tags. */
export type Piece = string | TagPiece;

/**
 * The texts of a send. Tags with the same value for all recipients are already filled in; the remaining tags depend on
 * the recipient or the list.
 */
export interface ComposedMessage {
  subject: Piece[];
  /** The line that an inbox shows after the subject; empty if there is none. */
  preheader: Piece[];
  text: Piece[];
  /** Content of the HTML part; null if it is derived from the text. */
  html: Piece[] | null;
}

/** The tag for the name of the recipient's list. All other tags of a ComposedMessage depend on the contact. */
export const LIST_NAME = 'list_name';

export const isTag = (piece: Piece): piece is TagPiece => typeof piece !== 'string';

/** Joins the pieces of a text and replaces its tags by `valueOf`. */
export function fillPieces(pieces: readonly Piece[], valueOf: (tag: TagPiece) => string): string {
  let filled = '';
  for (const piece of pieces) filled += typeof piece === 'string' ? piece : valueOf(piece);
  return filled;
}

/** Replaces the tags for which `valueOf` returns a text, and joins adjacent texts. */
export function replaceTags(pieces: readonly Piece[], valueOf: (tag: TagPiece) => string | undefined): Piece[] {
  return joinTexts(pieces.map((piece) => (isTag(piece) ? (valueOf(piece) ?? piece) : piece)));
}

/** Joins adjacent texts and removes empty ones. */
export function joinTexts(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') joined.push(text);
    text = '';
  };
  for (const piece of pieces) {
    if (isTag(piece)) {
      flush();
      joined.push(piece);
    } else text += piece;
  }
  flush();
  return joined;
}

/** The tags in all texts of a message. Each pair of tag and fallback occurs once. */
export function tagsOf({ subject, preheader, text, html }: ComposedMessage): TagPiece[] {
  const found = new Map<string, TagPiece>();
  for (const piece of [...subject, ...preheader, ...text, ...(html ?? [])])
    if (isTag(piece)) found.set(keyOf(piece), piece);
  return [...found.values()];
}

/** Key that identifies a tag together with its fallback. */
export const keyOf = ({ tag, fallback }: TagPiece): string => `${tag}|${fallback ?? ''}`;

/** The tags whose values depend on the contact; each tag occurs once. */
export function contactTagsOf(message: ComposedMessage): TagPiece[] {
  const tags = new Map(tagsOf(message).map((piece) => [piece.tag, piece]));
  tags.delete(LIST_NAME);
  return [...tags.values()];
}

/** A tag as its author typed it. */
export const asTyped = ({ tag, fallback }: TagPiece): string =>
  fallback === null ? `{{${tag}}}` : `{{${tag}|${fallback}}}`;
