import { describe, expect, it } from '@jest/globals';
import { caniemail } from 'caniemail';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillPieces } from '../../src/shared/merge-tags/pieces.js';
import type { DocumentJson } from '../../src/modules/composing/document/document.js';
import { readDocument } from '../../src/modules/composing/document/read-document.js';
import { renderDocument } from '../../src/modules/composing/document/render-document.js';
import { documentPart } from '../../src/modules/delivery/message/document-layout.js';
import { cell, doc, link, list, paragraph, table, text } from '../kit/samples/documents.js';

/** Features that a client lacks, and why the message is readable without them. */
const HARMLESS: Readonly<Record<string, string>> = {
  'border-radius': 'corners are square',
  '@media': 'no dark scheme of ours; the client darkens by itself or shows the light sheet',
  '<style> element': 'holds the dark scheme only; the mobile web page of Gmail shows the light sheet',
  'Type selector': 'the same',
  'Class selector': 'the same',
  'overflow-wrap': 'a long word makes the column wider',
  overflow: 'the preview line is hidden by mso-hide there',
  opacity: 'the same',
  'max-height property': 'the same',
  'display:none': 'the preview line is hidden by its height there',
  'color-scheme meta tag': 'names the schemes of the style sheet, which is not read there',
  'table-layout': 'columns are as wide as their content',
};

const picture = { url: 'https://staffcast.test/media/x.png', width: 640, height: 320 };
const FIXTURES: Readonly<Record<string, DocumentJson>> = {
  texts: doc(
    { type: 'heading', attrs: { level: 1, textAlign: 'center' }, content: [text('Title')] },
    paragraph(
      text('bold', { type: 'bold' }),
      text('italic', { type: 'italic' }),
      text('underlined', { type: 'underline' }),
      text('struck', { type: 'strike' }),
      text('red', { type: 'color', attrs: { color: 'red' } }),
      text('link', link('https://a.test')),
      { type: 'hardBreak' },
      'next line',
    ),
    { type: 'blockquote', content: [paragraph('quoted')] },
    { type: 'horizontalRule' },
  ),
  lists: doc(
    list('bulletList', [paragraph('one'), list('orderedList', [paragraph('a')], [paragraph('b')])], [paragraph('two')]),
    { ...list('orderedList', [paragraph('four')]), attrs: { start: 4 } },
  ),
  hotlist: doc(table(['Name', 'Skill', 'Location', 'Visa', 'Rate'], ['Ann', 'Java', 'Hartford CT', 'H1B', '$60/hr']), {
    type: 'table',
    content: [{ type: 'tableRow', content: [cell('a', { tint: 'yellow', colspan: 2 }), cell('b', { rowspan: 1 })] }],
  }),
  pictures: doc(
    { type: 'image', attrs: { fileId: '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d', alt: 'Logo', href: 'https://a.test' } },
    { type: 'button', attrs: { label: 'Apply', href: 'https://a.test' } },
  ),
};
const footer = {
  senderName: 'Ann Kumar',
  senderAgency: 'Acme',
  senderAddress: null,
  listName: 'Java people',
  postalAddress: '1 Test Street',
  unsubscribeUrl: 'https://staffcast.test/unsubscribe/x',
  introductionDue: true,
};

/** Documents that the editor makes of clipboards of other programs. */
const PASTED = readFileSync(join(import.meta.dirname, '../../../frontend/test/clipboard/documents.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { name: string; document: DocumentJson });

const seen = new Set<string>();

function partsOf(json: DocumentJson) {
  const { html, text: plain } = renderDocument(readDocument(json), { of: () => picture });
  const part = documentPart(
    'Subject',
    fillPieces(html, () => 'Ann'),
    footer,
    'Preview line',
  );
  return { part, plain: fillPieces(plain, () => 'Ann') };
}

/** Features of a message that one of the clients lacks, except for the harmless ones. */
function lackingIn(part: string): string[] {
  const { issues } = caniemail({ clients: ['outlook.windows', 'gmail.*', 'apple-mail.*'], html: part });
  const lacking = new Set<string>();
  for (const found of issues.errors.values()) for (const { title } of found) seen.add(title);
  for (const [client, found] of issues.errors)
    for (const { title } of found) if (!Object.hasOwn(HARMLESS, title)) lacking.add(`${client}: ${title}`);
  return [...lacking];
}

describe('a document in classic Outlook, Gmail and Apple Mail', () => {
  it.each(Object.entries(FIXTURES))(
    '%s supports all that the document needs, except for harmless features',
    (_name, json) => {
      expect(lackingIn(partsOf(json).part)).toEqual([]);
    },
  );

  it.each(PASTED)('$name supports what a paste from it contains', ({ document }) => {
    expect(lackingIn(partsOf(document).part)).toEqual([]);
  });

  it.each(['sheets/excel-win.html', 'outlook/win-hotlist.html'])(
    '%s arrives as a table with its header row, and as columns in the text part',
    (name) => {
      const { part, plain } = partsOf(PASTED.find((one) => one.name === name)!.document);
      const headers = [...part.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)].map(([, header]) => header!.trim());
      expect(headers.length).toBeGreaterThanOrEqual(5);
      expect(part).toMatch(/<!--\[if mso\]><table role="presentation" width="600"/);
      const lines = plain.split('\n');
      const rule = lines.findIndex((line) => /^-+( {2}-+)+$/.test(line));
      const starts = [...lines[rule]!.matchAll(/-+/g)].map(({ index }) => index);
      expect(starts).toHaveLength(headers.length);
      const rows = [lines[rule - 1]!, ...lines.slice(rule + 1, lines.indexOf('', rule))];
      expect(rows.length).toBeGreaterThan(2);
      for (const row of rows)
        for (const start of starts.slice(1)) expect(row.padEnd(start + 1).slice(start - 2, start)).toBe('  ');
    },
  );

  it('lists as exceptions only features that messages use', () => {
    expect(Object.keys(HARMLESS).filter((title) => !seen.has(title))).toEqual([]);
  });
});
