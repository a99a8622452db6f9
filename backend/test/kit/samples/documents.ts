import fc from 'fast-check';
import type { DocumentJson, NodeJson } from '../../../src/modules/composing/document/document.js';
import { CELL_TINTS, TEXT_COLORS } from '../../../src/shared/mail/message-style.js';

export const text = (value: string, ...marks: NodeJson['marks'] & object): NodeJson => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 && { marks }),
});
export const paragraph = (...content: (NodeJson | string)[]): NodeJson => ({
  type: 'paragraph',
  content: content.map((node) => (typeof node === 'string' ? text(node) : node)),
});
export const doc = (...content: NodeJson[]): DocumentJson => ({ type: 'doc', version: 1, content });
export const link = (href: string) => ({ type: 'link', attrs: { href } });
export const mergeTag = (tag: string, fallback: string | null = null): NodeJson => ({
  type: 'mergeTag',
  attrs: { tag, fallback },
});
export const cell = (value: NodeJson | string, attrs: object = {}): NodeJson => ({
  type: 'tableCell',
  attrs: { ...attrs },
  content: [typeof value === 'string' ? paragraph(...(value ? [value] : [])) : value],
});
/** A table whose first row is its header. */
export const table = (...rows: (NodeJson | string)[][]): NodeJson => ({
  type: 'table',
  content: rows.map((cells, y) => ({
    type: 'tableRow',
    content: cells.map((value) => (y === 0 ? { ...cell(value), type: 'tableHeader' } : cell(value))),
  })),
});
export const list = (type: 'bulletList' | 'orderedList', ...items: NodeJson[][]): NodeJson => ({
  type,
  content: items.map((content) => ({ type: 'listItem', content })),
});

const words = fc.string({
  unit: fc.constantFrom(
    'a',
    'b ',
    '  ',
    '<',
    '>',
    '&',
    '"',
    "'",
    '=',
    '.',
    '\n',
    'é',
    '日',
    '🎉',
    '\u202e',
    '{{x}}',
    '-- ',
  ),
  minLength: 1,
  maxLength: 12,
});
const marks = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom('bold', 'italic', 'underline', 'strike').map((type) => ({ type })),
    fc.constantFrom('https://a.test/x?a=1&b="2"', 'mailto:ann@a.test', 'tel:+15551234').map(link),
    fc.constantFrom(...TEXT_COLORS).map((color) => ({ type: 'color', attrs: { color } })),
  ),
  { selector: ({ type }) => type, maxLength: 4 },
);
const inline: fc.Arbitrary<NodeJson> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: words, marks }),
  fc.constant({ type: 'hardBreak' }),
  fc
    .tuple(fc.constantFrom('first_name', 'company', 'field.visa'), fc.option(words.map((w) => w.replace(/\s/g, ' '))))
    .map(([tag, fallback]) => mergeTag(tag, fallback)),
);
const inlines = fc.array(inline, { maxLength: 5 });
const paragraphs = fc.record({
  type: fc.constant('paragraph'),
  attrs: fc.record({ textAlign: fc.constantFrom('left', 'center', 'right') }),
  content: inlines,
});
const headings = fc.record({
  type: fc.constant('heading'),
  attrs: fc.record({ level: fc.integer({ min: 1, max: 3 }) }),
  content: inlines,
});
const cells = fc.record({
  type: fc.constantFrom('tableCell', 'tableHeader'),
  attrs: fc.record({
    colspan: fc.constantFrom(1, 1, 2),
    rowspan: fc.constantFrom(1, 1, 2),
    tint: fc.option(fc.constantFrom(...CELL_TINTS)),
  }),
  content: fc.array(paragraphs, { minLength: 1, maxLength: 2 }),
});
const tables = fc.record({
  type: fc.constant('table'),
  content: fc.array(
    fc.record({ type: fc.constant('tableRow'), content: fc.array(cells, { minLength: 1, maxLength: 4 }) }),
    { minLength: 1, maxLength: 4 },
  ),
});
const lists = (depth: number): fc.Arbitrary<NodeJson> =>
  fc.record({
    type: fc.constantFrom('bulletList', 'orderedList'),
    content: fc.array(
      fc
        .tuple(paragraphs, depth > 1 ? fc.array(lists(depth - 1), { maxLength: 1 }) : fc.constant([]))
        .map(([first, nested]) => ({ type: 'listItem', content: [first, ...nested] })),
      { minLength: 1, maxLength: 3 },
    ),
  });
const blocks: fc.Arbitrary<NodeJson> = fc.oneof(
  { weight: 4, arbitrary: paragraphs },
  headings,
  tables,
  lists(3),
  fc.constant({ type: 'horizontalRule' }),
  fc.record({ type: fc.constant('blockquote'), content: fc.array(paragraphs, { minLength: 1, maxLength: 2 }) }),
  words
    .map((w) => w.replace(/\s/g, ' '))
    .filter((w) => w.trim() !== '')
    .map((label) => ({ type: 'button', attrs: { label, href: 'https://a.test/?a=1&b=2' } })),
);

/** Arbitrary valid documents without pictures. */
export const documents: fc.Arbitrary<DocumentJson> = fc
  .array(blocks, { minLength: 1, maxLength: 8 })
  .map((content) => doc(...content));
