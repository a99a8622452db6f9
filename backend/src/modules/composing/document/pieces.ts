import type { Node } from 'prosemirror-model';
import type { Piece, TagPiece } from '../../../shared/merge-tags/pieces.js';
import { readTags } from '../merge-tags/tag-syntax.js';

/** One line of the text part. */
export type Line = Piece[];

/** Collects the pieces of a message part; neighbouring texts are joined. */
export class Pieces {
  /** @param accent colour of links and buttons in HTML; null means the default colour */
  constructor(readonly accent: string | null = null) {}

  private readonly done: Piece[] = [];
  private texts: string[] = [];

  text(text: string): this {
    if (text !== '') this.texts.push(text);
    return this;
  }

  tag({ tag, fallback }: TagPiece): this {
    this.flush();
    this.done.push({ tag, fallback });
    return this;
  }

  add(pieces: readonly Piece[]): this {
    for (const piece of pieces) {
      if (typeof piece === 'string') this.text(piece);
      else this.tag(piece);
    }
    return this;
  }

  all(): Piece[] {
    this.flush();
    return [...this.done];
  }

  private flush(): void {
    if (this.texts.length > 0) this.done.push(this.texts.join(''));
    this.texts = [];
  }
}

/** The pieces of a text or merge-tag node. A tag that was typed or pasted as text counts as a merge tag. */
export const piecesOf = (inline: Node): Piece[] =>
  inline.isText ? readTags(inline.text!) : [inline.attrs as TagPiece];
