import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cell, doc, documents, link, list, mergeTag, paragraph, table, text } from '../kit/samples/documents.js';
import { AppError } from '../../src/shared/errors/app-error.js';
import type { NodeJson } from '../../src/modules/composing/document/document.js';
import { documentOfText } from '../../src/modules/composing/document/document-of-text.js';
import { readDocument } from '../../src/modules/composing/document/read-document.js';

/**
 * Error message for a document.
 * @returns undefined if the document is valid
 */
function faultOf(json: unknown): string | undefined {
  try {
    readDocument(json);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'document_invalid' || error.status !== 400) throw error;
    return (error.details as { field: string; message: string }[])[0]!.message;
  }
}

const image = { type: 'image', attrs: { fileId: '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d', alt: 'Logo', width: 200 } };
const nested = (levels: number): NodeJson =>
  levels === 0 ? paragraph('x') : { type: 'blockquote', content: [nested(levels - 1)] };
const row = (...cells: NodeJson[]): NodeJson => ({ type: 'table', content: [{ type: 'tableRow', content: cells }] });
const lists = (depth: number): NodeJson =>
  list('bulletList', [paragraph('x'), ...(depth > 1 ? [lists(depth - 1)] : [])]);

describe('a document', () => {
  it('may contain every part of the schema', () => {
    const whole = doc(
      { type: 'heading', attrs: { level: 2, textAlign: 'center' }, content: [text('Title')] },
      paragraph(text('a', { type: 'bold' }, link('https://a.test'), { type: 'color', attrs: { color: 'teal' } })),
      paragraph('Hi ', mergeTag('first_name', 'there'), { type: 'hardBreak' }),
      list('orderedList', [paragraph('one'), lists(3)]),
      { type: 'blockquote', content: [paragraph('quoted')] },
      { type: 'horizontalRule' },
      table(['Name', 'Skill'], ['Ann', cell('Java', { tint: 'yellow', colspan: 1 }).content![0]!]),
      image,
      { type: 'button', attrs: { label: 'Apply', href: 'https://a.test/jobs' } },
    );
    expect(faultOf(whole)).toBeUndefined();
  });

  it('gets defaults for absent and null attributes, and has one form for equal content', () => {
    const written = doc({ type: 'paragraph', attrs: { textAlign: null as never }, content: [text('a'), text('b')] });
    expect(readDocument(written).json).toEqual(
      doc({ type: 'paragraph', attrs: { textAlign: 'left' }, content: [text('ab')] }),
    );
  });

  it('has a brief form without defaults that reads as the same document', () => {
    const written = doc(
      { type: 'heading', attrs: { level: 1, textAlign: 'center' }, content: [text('Title')] },
      { type: 'heading', attrs: { level: 2, textAlign: 'left' }, content: [text('Title', link('https://a.test'))] },
      { type: 'paragraph', attrs: { textAlign: null as never }, content: [text('a'), text('b')] },
      row(cell('Java', { tint: 'yellow', colspan: 1, rowspan: 1 })),
      image,
    );
    const read = readDocument(written);
    expect(read.briefJson).toEqual(
      doc(
        { type: 'heading', attrs: { textAlign: 'center' }, content: [text('Title')] },
        { type: 'heading', attrs: { level: 2 }, content: [text('Title', link('https://a.test'))] },
        paragraph('ab'),
        row(cell('Java', { tint: 'yellow' })),
        image,
      ),
    );
    expect(readDocument(read.briefJson).json).toEqual(read.json);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'an unknown node',
      doc(paragraph('a'), { type: 'blockquote', content: [{ type: 'iframe' }] }),
      /^content\[1\]\.content\[0\]: unknown node "iframe"$/,
    ],
    [
      'an unknown mark',
      doc(paragraph(text('a', { type: 'font' }))),
      /^content\[0\]\.content\[0\]: unknown mark "font"$/,
    ],
    [
      'an unknown attribute',
      doc({ type: 'paragraph', attrs: { onerror: 'x' } }),
      /content\[0\]: unknown attribute "onerror" of paragraph/,
    ],
    [
      'an attribute of a mark',
      doc(paragraph(text('a', { type: 'link', attrs: { href: 'https://a.test', target: 'x' } }))),
      /unknown attribute "target" of link/,
    ],
    ['an unknown property', doc({ type: 'paragraph', html: '<b>' } as never), /content\[0\]: unknown property "html"/],
    ['a property of all objects', doc({ type: 'constructor' }), /unknown node "constructor"/],
    ['raw HTML', '<p>Hello</p>', /a document is expected/],
    ['a list', [], /a document is expected/],
    ['another version', { ...doc(paragraph('a')), version: 2 }, /unknown version 2/],
    ['no version', { type: 'doc', content: [paragraph('a')] }, /unknown version undefined/],
    ['no content', { type: 'doc', version: 1 }, /document: doc lacks content/],
    ['text in the document itself', doc(text('a')), /content\[0\]: text cannot stand in doc here/],
    [
      'a list of paragraphs',
      doc({ type: 'bulletList', content: [paragraph('a')] }),
      /paragraph cannot stand in bulletList/,
    ],
    ['a mark on a block', doc({ type: 'paragraph', marks: [{ type: 'bold' }] }), /paragraph cannot stand in doc here/],
    ['a list five deep', doc(lists(5)), /lists are nested at most 4 deep$/],
    ['a list three deep in a table', doc(table([lists(3)])), /lists are nested at most 2 deep in a table/],
    ['a table in a table', doc(table([table(['a'])])), /a table in a table/],
    ['a nesting without end', doc(nested(20)), /nested too deeply/],
    ['5,001 nodes', doc(...Array.from({ length: 5000 }, () => ({ type: 'horizontalRule' }))), /more than 5000 parts/],
    ['100,001 characters', doc(paragraph('x'.repeat(100_001))), /more than 100,000 characters/],
    ['21 pictures', doc(...Array.from({ length: 21 }, () => image)), /more than 20 pictures/],
    ['501 rows', doc(table(...Array.from({ length: 501 }, () => ['x']))), /at most 500 rows/],
    ['21 columns', doc(table(Array.from({ length: 21 }, () => 'x'))), /at most 20 columns/],
    ['21 columns by spans', doc(row(cell('a', { colspan: 20 }), cell('b'))), /at most 20 columns/],
    ['a NUL', doc(paragraph('a\0b')), /a control character/],
    ['a lone surrogate', doc(paragraph('\ud800')), /half a character/],
    ['an empty text', doc(paragraph(text(''))), /an empty text/],
    ['a text that is none', doc(paragraph({ type: 'text', text: 7 } as never)), /a text is expected/],
    [
      'another colour',
      doc(paragraph(text('a', { type: 'color', attrs: { color: 'url(x)' } }))),
      /color of color: must be one of/,
    ],
    ['another tint', doc(row(cell('a', { tint: 'pink' }))), /tint of tableCell: must be one of/],
    [
      'a picture without a file',
      doc({ type: 'image', attrs: { fileId: '../../x' } }),
      /fileId of image: is no picture/,
    ],
    ['a tag that is none', doc(paragraph(mergeTag('7*7'))), /tag of mergeTag: is no merge tag/],
    [
      'an unknown kind of block',
      doc({ type: 'block', attrs: { kind: 'hotlist', ref: 'x' } }),
      /unknown kind "hotlist"/,
    ],
  ])('with %s is refused with the path of the fault', (_name, json, fault) => {
    expect(faultOf(json)).toMatch(fault);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//a.test',
    '/path',
    'https:a.test',
    'https:\\\\a.test',
    'https://',
    'https://user:password@a.test',
    'https://user@a.test',
    'https://a.test/\u0000',
    'https://a.test/a b',
    'https://a.test/\u202egpj.exe',
    `https://a.test/${'x'.repeat(2000)}`,
    '',
    7,
    null,
  ])('never links to %j', (href) => {
    expect(faultOf(doc(paragraph(text('a', { type: 'link', attrs: { href } }))))).toMatch(
      /^content\[0\]\.content\[0\]: href of link/,
    );
    expect(faultOf(doc({ type: 'button', attrs: { label: 'a', href } }))).toMatch(/^content\[0\]: href of button/);
  });

  it.each([
    'https://a.test',
    'http://a.test:8080/x?y=1#z',
    'mailto:ann@a.test?subject=x',
    'tel:+1-555-0100',
    'https://münchen.de/ü',
  ])('may link to %s', (href) => expect(faultOf(doc(paragraph(text('a', link(href)))))).toBeUndefined());

  it('is either read or refused, for any JSON', () => {
    const hostile = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.jsonValue(),
        fc.record(
          {
            type: fc.oneof(
              fc.constantFrom('doc', 'paragraph', 'text', 'table', 'tableRow', 'tableCell', 'image', 'bulletList'),
              fc.jsonValue(),
            ),
            attrs: fc.oneof(
              fc.jsonValue(),
              fc.dictionary(fc.constantFrom('colspan', 'rowspan', 'tint', 'textAlign', '__proto__'), fc.jsonValue()),
            ),
            content: fc.oneof(fc.array(tie('node'), { maxLength: 4 }), fc.jsonValue()),
            marks: fc.oneof(
              fc.array(fc.record({ type: fc.constantFrom('bold', 'link', 'x'), attrs: fc.jsonValue() })),
              fc.jsonValue(),
            ),
            text: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
          },
          { requiredKeys: [] },
        ),
      ),
    })).node;
    fc.assert(
      fc.property(hostile, (node) => void faultOf({ type: 'doc', version: 1, content: [node] })),
      { numRuns: 300 },
    );
  });

  it('is unchanged after reading and storing', () => {
    fc.assert(
      fc.property(documents, (json) => {
        const { json: once } = readDocument(json);
        expect(readDocument(JSON.parse(JSON.stringify(once))).json).toEqual(once);
        expect(readDocument(readDocument(json).briefJson).json).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a plain text as a document', () => {
  it('has a paragraph for each block of lines', () => {
    expect(documentOfText('Hi Ann,\r\n\r\nare you free?\nTomorrow?\n\n\nBest').content).toEqual([
      paragraph('Hi Ann,'),
      paragraph('are you free?', { type: 'hardBreak' }, 'Tomorrow?'),
      paragraph('Best'),
    ]);
  });

  it('is valid for any text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.constantFrom('\n', '\r', ' ', 'a'), fc.string({ unit: 'binary', maxLength: 1 })),
          maxLength: 200,
        }),
        (value) => {
          expect(faultOf(documentOfText(value))).toBeUndefined();
        },
      ),
    );
  });
});
