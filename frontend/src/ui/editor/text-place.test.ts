import { describe, expect, it } from '@jest/globals';
import { getSchema } from '@tiptap/core';
import { Node } from '@tiptap/pm/model';
import { NodeSelection } from '@tiptap/pm/state';
import type { RichNode } from './document';
import { toEditor } from './document-mapping';
import { extensionsFor } from './schema/extensions';
import { selectionOf } from './text-place';

const nothing = () => undefined;
const schema = getSchema(
  extensionsFor({
    onEditTag: nothing,
    onEditFileLink: nothing,
    onEditButton: nothing,
    onEditPicture: nothing,
    onEditLink: nothing,
    onToolbar: nothing,
    onPasted: nothing,
    onSuggest: nothing,
    pictureUrl: () => '',
  }),
);

const text = (words: string, ...marks: RichNode['marks'] & object) => ({ type: 'text', text: words, marks });
const p = (...content: RichNode[]): RichNode => ({ type: 'paragraph', content });
const tag = (name: string, fallback: string | null = null): RichNode => ({
  type: 'mergeTag',
  attrs: { tag: name, fallback },
});
const br: RichNode = { type: 'hardBreak' };
const image: RichNode = { type: 'image', attrs: { fileId: 'f1', alt: '', width: 100, href: null } };
const rule: RichNode = { type: 'horizontalRule' };
const button = (label: string): RichNode => ({ type: 'button', attrs: { label, href: 'https://acme.example' } });
const block: RichNode = { type: 'block', attrs: { kind: 'hotlist', ref: 'r1' } };
const holding = (type: string, ...content: RichNode[]): RichNode => ({ type, content });

/** What is selected for the range of the flat text: its words, or the kind of the node. */
function selected(content: RichNode[], from: number, to: number): string {
  const doc = Node.fromJSON(schema, toEditor({ type: 'doc', version: 1, content }));
  doc.check();
  const selection = selectionOf(doc, { from, to });
  if (selection instanceof NodeSelection)
    return `<${selection.node.type.name} ${String(selection.node.attrs.tag ?? '')}>`;
  return doc.textBetween(selection.from, selection.to, '\n', (leaf) => `<${leaf.type.name}>`);
}

/** The range of a word in the flat text that the server sees. */
const rangeOf = (flat: string, word: string): [number, number] => {
  const from = flat.indexOf(word);
  expect(from).toBeGreaterThanOrEqual(0);
  return [from, from + word.length];
};

describe('a place of the flat text in the editor', () => {
  it.each<[string, RichNode[], string]>([
    ['texts of a paragraph', [p(text('Rate: '), text('[rate]', { type: 'bold' }))], 'Rate: [rate]\n'],
    ['after another paragraph', [p(text('One')), p(text('Two [rate]'))], 'One\nTwo [rate]\n'],
    ['after an empty paragraph', [p(), p(text('[rate]'))], '\n[rate]\n'],
    [
      'after a heading',
      [{ ...holding('heading', text('Top')), attrs: { level: 2 } }, p(text('[rate]'))],
      'Top\n[rate]\n',
    ],
    ['after a line break', [p(text('One'), br, text('[rate]'))], 'One\n[rate]\n'],
    ['after a tag', [p(tag('first_name'), text(', [rate]'))], '{{first_name}}, [rate]\n'],
    [
      'after a tag with a fallback',
      [p(tag('first_name', 'there'), text(', [rate]'))],
      '{{first_name|there}}, [rate]\n',
    ],
    ['after a button', [button('Apply now'), p(text('[rate]'))], 'Apply now\n[rate]\n'],
    ['after a picture', [image, p(text('[rate]'))], '[rate]\n'],
    ['after a rule', [p(text('One')), rule, p(text('[rate]'))], 'One\n[rate]\n'],
    ['after a part that is filled at the send', [block, p(text('[rate]'))], '[rate]\n'],
    [
      'in lists',
      [
        holding(
          'bulletList',
          holding('listItem', p(text('Java')), holding('orderedList', holding('listItem', p(text('17'))))),
        ),
        holding('orderedList', holding('listItem', p(text('at [rate]')))),
      ],
      'Java\n17\nat [rate]\n',
    ],
    ['in a quote', [holding('blockquote', p(text('He said')), p(text('[rate]')))], 'He said\n[rate]\n'],
    [
      'in a table',
      [
        holding(
          'table',
          holding('tableRow', holding('tableHeader', p(text('Name'))), holding('tableHeader', p(text('Rate')))),
          holding('tableRow', holding('tableCell', p(tag('first_name'))), holding('tableCell', p(text('[rate]')))),
        ),
      ],
      'Name\nRate\n{{first_name}}\n[rate]\n',
    ],
    ['with signs of two units before it', [p(text('👋 '), br, text('[rate]'))], '👋 \n[rate]\n'],
  ])('finds words %s', (_what, content, flat) => {
    expect(selected(content, ...rangeOf(flat, '[rate]'))).toBe('[rate]');
  });

  it('selects a tag as a whole, and not the one before it', () => {
    const content = [p(text('Hi '), tag('first_name'), tag('last_name'), text('!'))];
    expect(selected(content, ...rangeOf('Hi {{first_name}}{{last_name}}!\n', '{{last_name}}'))).toBe(
      '<mergeTag last_name>',
    );
  });

  it('selects a button for the words on it', () => {
    const content = [p(text('One')), button('Apply at once'), p(text('Two'))];
    expect(selected(content, ...rangeOf('One\nApply at once\nTwo\n', 'Apply at once'))).toBe('<button >');
  });

  it('selects a picture, which has no characters', () => {
    expect(selected([p(text('One')), image, p(text('Two'))], 4, 4)).toBe('<image >');
  });

  it('selects words that run over a tag, a break and the end of a paragraph', () => {
    const content = [p(text('Dear '), tag('first_name'), br, text('now')), p(text('act fast'))];
    const flat = 'Dear {{first_name}}\nnow\nact fast\n';
    expect(selected(content, ...rangeOf(flat, '{{first_name}}\nnow\nact'))).toBe('<mergeTag><hardBreak>now\nact');
  });

  it('stays inside the document for a range beyond its end', () => {
    expect(selected([p(text('One'))], 2, 900)).toBe('e');
    expect(selected([p(text('One'))], 900, 950)).toBe('');
  });
});
