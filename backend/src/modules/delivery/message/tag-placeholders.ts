import { randomBytes } from 'node:crypto';
import { encodeWords, foldLines } from 'nodemailer/lib/mime-funcs';
import {
  fillPieces,
  isTag,
  keyOf,
  LIST_NAME,
  type Piece,
  type TagPiece,
  tagsOf,
} from '../../../shared/merge-tags/pieces.js';
import { cleanValue, filledSubject, NO_VALUES, valueOf } from '../../../shared/merge-tags/values.js';
import { escapeHtml } from '../../../shared/text/html.js';
import { type Mark, collapseBlanks, flatText } from './message-template.js';
import { filledPreheader, type PreparedPieces, type PreparedSend, type Recipient } from './message-composer.js';
import { quotedValue } from './quoted-printable.js';
import { GenerationalCache } from './generational-cache.js';

/** A filled-in subject, in the forms that a message contains. */
interface SubjectForms {
  line: string;
  title: string;
  relaxedTitle: string;
}

/** A value encoded in quoted-printable, for the text and for the HTML part. */
interface EncodedValue {
  text: string;
  html: string;
}

/** Matches text that is the same in quoted-printable and in HTML, and fits on one line. */
const AS_IT_IS = /^[\x21\x23-\x25\x28-\x2c\x2f-\x3b\x3f-\x7e](?: ?[\x21\x23-\x25\x28-\x3b\x3f-\x7e])*$/;
const ONE_LINE_LENGTH = 73;

/** Represents the merge tags of a send by placeholders in its prepared message. */
export class TagPlaceholders {
  /** Two marks per tag, for text and for HTML. In every message, values replace the marks. */
  readonly marks: readonly Mark[];
  /** Mark of the subject; null if all recipients get the same subject. */
  readonly subjectMark: string | null;
  private readonly tags: TagPiece[];
  private readonly indexes: Map<string, number>;
  private readonly subject: readonly Piece[];
  /**
   * The only merge tag of the subject, whose value then serves as the cache key of the filled-in subject. Null if the
   * subject has no tag, several tags, or only the tag of the list's name.
   */
  private readonly subjectTag: TagPiece | null;
  private readonly subjects = new GenerationalCache<SubjectForms>();
  private readonly encoded = new GenerationalCache<EncodedValue>();

  /** @param firstPlaceholder index of the first placeholder for tags; each tag has two placeholders */
  constructor(
    pieces: PreparedPieces,
    private readonly firstPlaceholder: number,
  ) {
    this.subject = pieces.subject;
    const inSubject = pieces.subject.filter(isTag);
    this.subjectTag = inSubject.length === 1 && inSubject[0]!.tag !== LIST_NAME ? inSubject[0]! : null;
    this.tags = tagsOf({ ...pieces, subject: [] });
    this.indexes = new Map(this.tags.map((tag, index) => [keyOf(tag), index]));
    this.subjectMark = pieces.subject.some(isTag) ? mark() : null;
    this.marks = Array.from({ length: 2 * this.tags.length }, (_, i) => [firstPlaceholder + i, mark()] as const);
  }

  /** The send with marks instead of its merge tags. */
  marked(send: PreparedSend, { preheader, text, html }: PreparedPieces): PreparedSend {
    const as = (offset: 0 | 1) => (tag: TagPiece) => this.marks[2 * this.indexes.get(keyOf(tag))! + offset]![1];
    const subject = this.subjectMark ?? filledSubject(this.subject, NO_VALUES);
    return {
      ...send,
      pieces: null,
      subject,
      subjectLine: subject,
      preheader: filledPreheader(preheader, as(1)),
      content: fillPieces(text, as(0)),
      contentHtml: fillPieces(html, as(1)),
    };
  }

  /**
   * Writes the encoded values of one recipient to their placeholders. DKIM's relaxed form does not change them, because
   * cleaned values contain only single blanks, and none at their ends.
   */
  set(into: string[], { listName, values = NO_VALUES }: Pick<Recipient, 'listName' | 'values'>): void {
    let index = this.firstPlaceholder;
    for (const tag of this.tags) {
      const value = tag.tag === LIST_NAME ? cleanValue(listName) || tag.fallback || '' : valueOf(tag, values);
      const isPlain = value.length <= ONE_LINE_LENGTH && AS_IT_IS.test(value);
      const { text, html } = isPlain ? { text: value, html: value } : this.encode(value);
      into[index++] = text;
      into[index++] = html;
    }
  }

  /** The subject for one recipient. */
  subjectFor({ listName, values = NO_VALUES }: Pick<Recipient, 'listName' | 'values'>): SubjectForms {
    const key = this.subjectTag ? valueOf(this.subjectTag, values) : filledSubject(this.subject, values, listName);
    const known = this.subjects.get(key);
    if (known) return known;
    const subject = this.subjectTag ? filledSubject(this.subject, values, listName) : key;
    const title = quotedValue(escapeHtml(subject));
    return this.subjects.keep(key, { line: subjectHeader(subject), title, relaxedTitle: collapseBlanks(title) });
  }

  private encode(value: string): EncodedValue {
    const known = this.encoded.get(value);
    if (known) return known;
    const text = quotedValue(value);
    const escaped = escapeHtml(value);
    return this.encoded.keep(value, { text, html: escaped === value ? text : quotedValue(escaped) });
  }
}

const mark = (): string => randomBytes(16).toString('hex');

/** The header line of a subject, encoded and folded the same way as the library does it. */
function subjectHeader(subject: string): string {
  const letters = subject.match(/[A-Za-z]/g)?.length ?? 0;
  const others = subject.match(/[^\x00-\x7f]/g)?.length ?? 0;
  return flatText(foldLines(`Subject: ${encodeWords(subject, others < letters ? 'Q' : 'B', 52, true)}`, 76));
}
