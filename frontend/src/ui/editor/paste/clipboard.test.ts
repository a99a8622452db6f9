import { afterEach, describe, expect, it } from '@jest/globals';
import { Editor } from '@tiptap/core';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clipboardPaste, type ClipboardPaste } from '../../../../test/clipboard-event';
import type { RichNode } from '../document';
import { extensionsFor, textRules, type WritingKind } from '../schema/extensions';
import { toDocument } from '../document-mapping';
import { outlines } from '../../../../test/clipboard/outlines';
import { pasteNote, type PasteReport } from './paste-report';

const CLIPBOARD_FOLDER = join(import.meta.dirname, '../../../../test/clipboard');
const fixtures = readdirSync(CLIPBOARD_FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .sort();

let editor: Editor | undefined;
afterEach(() => editor?.destroy());

/** Pastes into an empty field, like a browser. */
async function paste(data: ClipboardPaste, kind?: WritingKind) {
  let report: PasteReport | undefined;
  const none = () => undefined;
  editor = new Editor({
    element: document.createElement('div'),
    ...textRules,
    extensions: extensionsFor(
      {
        onEditTag: none,
        onEditFileLink: none,
        onEditButton: none,
        onEditPicture: none,
        onEditLink: none,
        onToolbar: none,
        onSuggest: none,
        onPasted: (found) => {
          report = found;
        },
        pictureUrl: () => '',
      },
      kind,
    ),
  });
  clipboardPaste(editor, data);
  await Promise.resolve();
  return { document: toDocument(editor.getJSON()), report };
}

const pasteFile = (name: string) =>
  paste({ html: readFileSync(join(CLIPBOARD_FOLDER, name), 'utf8'), text: 'as text' });

const inline = (node: RichNode): string => {
  if (node.type === 'hardBreak') return '/';
  if (node.type === 'mergeTag') return `{${String(node.attrs?.tag)}}`;
  const marks = (node.marks ?? []).map(({ type, attrs }) => (type === 'link' ? `a:${String(attrs?.href)}` : type[0]));
  return marks.length > 0 ? `<${marks.join(' ')}>${node.text ?? ''}</>` : (node.text ?? '');
};

/** The visible content: one line for each block, indented by depth. */
function outline(nodes: readonly RichNode[], indent = ''): string[] {
  return nodes.flatMap((node) => {
    const { type, content = [], attrs } = node;
    const words = content.map(inline).join('');
    if (type === 'paragraph') return [`${indent}${attrs?.textAlign ? `${String(attrs.textAlign)}: ` : ''}${words}`];
    if (type === 'heading') return [`${indent}h${String(attrs?.level)} ${words}`];
    if (type === 'tableRow') {
      const cells = content.map((cell) => {
        const spans = [
          cell.attrs?.colspan && `c${String(cell.attrs.colspan)}`,
          cell.attrs?.rowspan && `r${String(cell.attrs.rowspan)}`,
        ].filter(Boolean);
        return `${cell.type === 'tableHeader' ? 'TH ' : ''}${spans.length > 0 ? `(${spans.join('')}) ` : ''}${outline(cell.content ?? []).join(' / ')}`;
      });
      return [`${indent}${cells.join(' | ')}`];
    }
    if (type === 'listItem') {
      const [first, ...rest] = outline(content);
      return [`${indent}- ${first ?? ''}`, ...rest.map((line) => `${indent}  ${line}`)];
    }
    const start = attrs?.start ? ` ${String(attrs.start)}` : '';
    return [`${indent}${type}${start}`, ...outline(content, `${indent}  `)];
  });
}

const emptyParagraphs = (node: RichNode, parent = 'doc'): number =>
  (node.type === 'paragraph' && !node.content && parent !== 'tableCell' && parent !== 'tableHeader' ? 1 : 0) +
  (node.content ?? []).reduce((sum, child) => sum + emptyParagraphs(child, node.type), 0);

describe('content pasted from other programs', () => {
  it('has 25 fixtures, each with its expected document', () => {
    expect(fixtures).toHaveLength(25);
    expect(Object.keys(outlines).sort()).toEqual(fixtures);
  });

  it.each(fixtures)('%s becomes the document that a person would have written', async (name) => {
    const { document } = await pasteFile(name);
    expect(outline(document.content).join('\n')).toBe(outlines[name]?.trim());
    const json = JSON.stringify(document);
    expect(json).not.toMatch(/mso-|Mso|class|style|font|supportLists/);
    expect(document.content.reduce((sum, node) => sum + emptyParagraphs(node), 0)).toBe(0);
  });

  it("is the same as in the server's own rendering tests", async () => {
    const lines: string[] = [];
    for (const name of fixtures) lines.push(JSON.stringify({ name, document: (await pasteFile(name)).document }));
    const file = join(CLIPBOARD_FOLDER, 'documents.jsonl');
    if (process.env.UPDATE_FIXTURES) writeFileSync(file, `${lines.join('\n')}\n`);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual(lines);
  });

  it('reports what was left out, and nothing where nothing was', async () => {
    const { report } = await pasteFile('outlook/win-numbers-logo.html');
    expect(report && pasteNote(report)).toBe('Pasted as text and lists. Left out: 1 picture, colours and fonts.');
    const gmail = await pasteFile('webmail/gmail-signature.html');
    // The tracking pixel is not counted as a picture.
    expect(gmail.report).toMatchObject({ pictures: 1, tables: false });
    const plain = await paste({ html: '<p>Hello <b>there</b></p>', text: 'Hello there' });
    expect(plain.report && pasteNote(plain.report)).toBeNull();
  });
});

describe('a signature of Outlook, pasted where a signature is written', () => {
  const html = readFileSync(join(CLIPBOARD_FOLDER, 'outlook/win-signature.html'), 'utf8');
  const lines = outlines['outlook/win-signature.html']!.trim().split('\n');

  it('is its lines and links, without the table that laid it out; its picture on this machine is left out', async () => {
    const { document, report } = await paste({ html, text: 'as text' }, 'signature');
    expect(outline(document.content)).toEqual(lines);
    expect(report).toMatchObject({ pictures: 1, offered: [], tables: false });
    expect(report && pasteNote(report)).toBe('Pasted as text. Left out: 1 picture, colours and fonts.');
  });

  it('offers its picture where the clipboard brings it', async () => {
    const logo = new File([new Uint8Array(8)], 'image.png', { type: 'image/png' });
    const { document, report } = await paste({ html, files: [logo] }, 'signature');
    expect(outline(document.content)).toEqual(lines);
    expect(report).toMatchObject({ pictures: 0, offered: [logo] });
  });

  it.each(fixtures)('%s has no list, table or tag there, which the server would refuse', async (name) => {
    const { document } = await paste(
      { html: readFileSync(join(CLIPBOARD_FOLDER, name), 'utf8'), text: 'as text' },
      'signature',
    );
    expect(JSON.stringify(document)).not.toMatch(/"type":"(?:bulletList|orderedList|table|mergeTag|block)"/);
    expect(JSON.stringify(document)).not.toMatch(/mso-|Mso|supportLists/);
  });
});

describe('a paste into a cell of a table', () => {
  const inCell = async (html: string) => {
    await paste({ html: '<table><tr><th>Title</th><td>Java</td></tr></table>' });
    editor!.commands.setTextSelection(4);
    clipboardPaste(editor!, { html, text: 'as text' });
    await Promise.resolve();
    return outline(toDocument(editor!.getJSON()).content);
  };

  it('has its tables as lines: a table holds no other one, and the server would refuse the draft', async () => {
    const lines = await inCell(readFileSync(join(CLIPBOARD_FOLDER, 'outlook/win-hotlist.html'), 'utf8'));
    expect(lines.filter((line) => line === 'table')).toHaveLength(1);
    expect(lines.join('\n')).toContain('Asha R., Java Lead, Dallas, TX, H1B, $72/hr');
    const json = JSON.stringify(editor!.getJSON());
    expect(json.match(/"type":"table"/g)).toHaveLength(1);
  });

  it('fills the cells where it is cells alone', async () => {
    const lines = await inCell('<table><tr><td>Rate</td><td>$60</td></tr></table>');
    expect(lines.filter((line) => line.trim() === 'table')).toHaveLength(1);
    expect(lines.join('\n')).toContain('$60');
  });
});

describe('merge tags in pasted text', () => {
  it('become tags where they are ours; those of other tools are offered for replacement, each once', async () => {
    const text =
      'Hi {{first_name|there}}, *|FNAME|* and *|FNAME|*, {{contact.company}}, %LASTNAME%, {email}, 50% OFF, {{7*7}}';
    const { document, report } = await paste({ text });
    expect(outline(document.content)).toEqual([
      'Hi {first_name}, *|FNAME|* and *|FNAME|*, {{contact.company}}, %LASTNAME%, {email}, 50% OFF, {{7*7}}',
    ]);
    expect(report?.foreignTags).toEqual([
      { written: '*|FNAME|*', tag: 'first_name' },
      { written: '{{contact.company}}', tag: 'company' },
      { written: '{email}', tag: 'email' },
      { written: '%LASTNAME%', tag: 'last_name' },
    ]);
  });
});

describe('a malicious paste', () => {
  it('leaves no script, no event handler and no address that a mail may not contain', async () => {
    const { document } = await paste({
      html:
        '<p onclick="x()">A<script>alert(1)</script><img src=x onerror="alert(1)"></p><p><a href="javascript:alert(1)">B</a> ' +
        '<a href="data:text/html,x">C</a> <a href="vbscript:x">D</a> <a href="https://user:pw@e.example">E</a> <a href="https://e.example/f">F</a></p>' +
        '<iframe src="https://e.example"></iframe><form><input name=a value=b></form>',
      text: 'A',
    });
    expect(outline(document.content)).toEqual(['A', 'B C D E <a:https://e.example/f>F</>']);
  });
});
