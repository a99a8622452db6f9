import { describe, expect, it } from '@jest/globals';
import { getSchema } from '@tiptap/core';
import { Node } from '@tiptap/pm/model';
import { extensionsFor } from './schema/extensions';
import { positionsOf } from './text-place';

const schema = getSchema(extensionsFor({} as never, 'message'));
const text = (value: string) => ({ type: 'text', text: value });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });

describe('a place in the flat text of a document', () => {
  const doc = Node.fromJSON(schema, {
    type: 'doc',
    content: [
      paragraph(text('Hi '), { type: 'mergeTag', attrs: { tag: 'first_name', fallback: 'there' } }, text(',')),
      { type: 'horizontalRule' },
      { type: 'button', attrs: { label: 'Apply', href: 'https://a.example' } },
      {
        type: 'bulletList',
        content: [{ type: 'listItem', content: [paragraph(text('one'), { type: 'hardBreak' }, text('two'))] }],
      },
    ],
  });
  // Hi {{first_name|there}},⏎Apply⏎one⏎two⏎
  it.each([
    ['Hi', 0, 2],
    ['one', 31, 34],
    ['two', 35, 38],
  ])('finds %s', (word, from, to) => {
    const at = positionsOf(doc, { from, to });
    expect(doc.textBetween(at.from, at.to)).toBe(word);
  });

  it('finds a merge tag, and stays within a shorter document', () => {
    expect(doc.nodeAt(positionsOf(doc, { from: 3, to: 23 }).from)?.type.name).toBe('mergeTag');
    const end = positionsOf(doc, { from: 5_000, to: 6_000 });
    expect(end).toEqual({ from: doc.content.size, to: doc.content.size });
  });
});
