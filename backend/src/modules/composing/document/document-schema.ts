import {
  type AttributeSpec,
  type MarkSpec,
  type MarkType,
  type NodeSpec,
  type NodeType,
  Schema,
} from 'prosemirror-model';
import { CELL_TINTS, TEXT_COLORS } from '../../../shared/mail/message-style.js';
import { ALIGNMENTS, DOCUMENT_LIMITS } from './document.js';
import { hrefFault } from './href.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MERGE_TAG = /^[a-z][a-z0-9_.]{0,59}$/;
/** Control characters other than tab and line feed, which no text of a document may hold. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const LINE_BREAK = /[\n\t\u2028\u2029]/;
/**
 * Kinds of `block` nodes, which other modules replace by ordinary nodes. No kind is defined yet, so every kind is
 * refused as unknown.
 */
const BLOCK_KINDS: ReadonlySet<string> = new Set();

/**
 * Checks that a text can be stored and sent.
 * @returns what is wrong with it, or null
 */
export function textFault(text: unknown): string | null {
  if (typeof text !== 'string') return 'a text is expected';
  if (!text.isWellFormed()) return 'half a character';
  return CONTROL.test(text) ? 'a control character' : null;
}

/**
 * The check of each attribute. A check cannot be stored in the attribute's spec, because ProseMirror copies only the
 * properties that it knows.
 */
const faultsOf = new WeakMap<AttributeSpec, Fault>();
/** @returns what is wrong with a value, or null */
type Fault = (value: unknown) => string | null;

/** An attribute whose value is checked. `fallback` replaces an absent or null value. */
function attr(faultOf: Fault, ...fallback: [unknown?]): AttributeSpec {
  const validate = (value: unknown): void => {
    const found = faultOf(value);
    if (found) throw new RangeError(found);
  };
  const spec = fallback.length > 0 ? { default: fallback[0], validate } : { validate };
  faultsOf.set(spec, faultOf);
  return spec;
}

const oneOf = (values: readonly unknown[]) => (value: unknown) =>
  values.includes(value) ? null : `must be one of ${values.map((one) => String(one)).join(', ')}`;
const whole = (least: number, most: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most
    ? null
    : `must be a whole number from ${least} to ${most}`;
const line =
  (most: number, least = 0) =>
  (value: unknown) => {
    if (typeof value !== 'string' || value.trim().length < least) return 'a text is expected';
    if (value.length > most) return `must have at most ${most} characters`;
    return LINE_BREAK.test(value) ? 'must be a single line of text' : textFault(value);
  };
const optional = (fault: (value: unknown) => string | null) => (value: unknown) =>
  value === null ? null : fault(value);
const matching = (pattern: RegExp, name: string) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value) ? null : `is no ${name}`;

const textAlign = attr(oneOf(ALIGNMENTS), 'left');
const cell = {
  colspan: attr(whole(1, DOCUMENT_LIMITS.tableColumns), 1),
  rowspan: attr(whole(1, DOCUMENT_LIMITS.tableRows), 1),
  tint: attr(optional(oneOf(CELL_TINTS)), null),
};

const nodes = {
  doc: { content: 'blocks+' },
  paragraph: { group: 'blocks', content: 'inlines*', attrs: { textAlign } },
  heading: { group: 'blocks', content: 'inlines*', attrs: { level: attr(whole(1, 3), 1), textAlign } },
  bulletList: { group: 'blocks', content: 'listItem+' },
  orderedList: { group: 'blocks', content: 'listItem+', attrs: { start: attr(whole(0, 99_999), 1) } },
  listItem: { content: 'paragraph blocks*' },
  blockquote: { group: 'blocks', content: 'blocks+' },
  horizontalRule: { group: 'blocks' },
  table: { group: 'blocks', content: 'tableRow+' },
  tableRow: { content: '(tableCell | tableHeader)*' },
  tableHeader: { content: 'blocks+', attrs: cell },
  tableCell: { content: 'blocks+', attrs: cell },
  image: {
    group: 'blocks',
    attrs: {
      fileId: attr(matching(UUID, 'picture')),
      alt: attr(line(DOCUMENT_LIMITS.altLength), ''),
      width: attr(optional(whole(1, 1_200)), null),
      href: attr(optional(hrefFault), null),
    },
  },
  button: { group: 'blocks', attrs: { label: attr(line(DOCUMENT_LIMITS.labelLength, 1)), href: attr(hrefFault) } },
  block: {
    group: 'blocks',
    attrs: {
      kind: attr((kind) =>
        BLOCK_KINDS.has(kind as string) ? null : `unknown kind ${JSON.stringify(kind).slice(0, 60)}`,
      ),
      ref: attr(line(200, 1)),
    },
  },
  hardBreak: { group: 'inlines', inline: true },
  mergeTag: {
    group: 'inlines',
    inline: true,
    attrs: {
      tag: attr(matching(MERGE_TAG, 'merge tag')),
      fallback: attr(optional(line(DOCUMENT_LIMITS.fallbackLength)), null),
    },
  },
  /** A link to an uploaded file. A link without a label shows the name of the file. */
  fileLink: {
    group: 'inlines',
    inline: true,
    attrs: { fileId: attr(matching(UUID, 'file')), label: attr(line(DOCUMENT_LIMITS.labelLength), '') },
  },
  text: { group: 'inlines', inline: true },
} satisfies Record<string, NodeSpec>;

const marks = {
  bold: {},
  italic: {},
  underline: {},
  strike: {},
  link: { attrs: { href: attr(hrefFault) } },
  color: { attrs: { color: attr(oneOf(TEXT_COLORS)) } },
} satisfies Record<string, MarkSpec>;

/** The closed schema of documents, version 1: no font, size, class, style or raw attribute exists in it. */
export const documentSchema = new Schema({ nodes, marks, topNode: 'doc' });

/** An attribute of a node or mark. It is required if it has no fallback. */
interface KnownAttribute {
  name: string;
  fallback: unknown;
  faultOf: Fault;
}

const knownAttributes = new Map<NodeType | MarkType, KnownAttribute[]>();

/** Attributes of a node or mark, with their checks and defaults. */
export function attrsOf(type: NodeType | MarkType): readonly KnownAttribute[] {
  let known = knownAttributes.get(type);
  if (known) return known;
  known = Object.entries(type.spec.attrs ?? {}).map(([name, spec]) => ({
    name,
    fallback: (spec as AttributeSpec).default as unknown,
    faultOf: faultsOf.get(spec as AttributeSpec)!,
  }));
  knownAttributes.set(type, known);
  return known;
}
