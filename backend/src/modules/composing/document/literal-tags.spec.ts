import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { refuseLiteralTags } from './literal-tags.js';
import { readDocument } from './read-document.js';

/** Checks a paragraph with these texts. Every other text is bold, so that neighbouring texts stay separate nodes. */
const check = (texts: string[]) => {
  const content = texts.map((text, n) => ({ type: 'text', text, marks: n % 2 === 0 ? [] : [{ type: 'bold' }] }));
  refuseLiteralTags(readDocument({ type: 'doc', version: 1, content: [{ type: 'paragraph', content }] }));
};
const faultOf = (texts: string[]): string | null => {
  try {
    check(texts);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a tag over two formats', () => {
  it('is refused even where the same tag stands unbroken beside it', () => {
    expect(faultOf(['Hi {{first_name}}, dear {{first', '_name}}'])).toContain(
      'document: {{first_name}} is written in two formats',
    );
    expect(faultOf(['Hi {{first_name}}, dear ', '{{first_name}}'])).toBeNull();
  });

  it('is refused wherever it stands among unbroken tags, and unbroken tags never are', () => {
    const tag = fc.constantFrom('{{first_name}}', '{{first_name|there}}', '{{email}}');
    const written = tag.chain((whole) =>
      fc.option(fc.integer({ min: 1, max: whole.length - 1 })).map((cut) => ({ whole, cut })),
    );
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 8 }), (tags) => {
        const texts = tags.flatMap(({ whole, cut }) =>
          cut === null ? [whole] : [whole.slice(0, cut), whole.slice(cut)],
        );
        const split = tags.filter(({ cut }) => cut !== null).map(({ whole }) => whole);
        const fault = faultOf(texts);
        if (split.length === 0) expect(fault).toBeNull();
        else expect(split.some((whole) => fault?.includes(`${whole} is written`))).toBe(true);
      }),
    );
  });
});
