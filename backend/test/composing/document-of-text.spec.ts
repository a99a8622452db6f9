import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeTag, paragraph } from '../kit/samples/documents.js';
import { documentOfText } from '../../src/modules/composing/document/document-of-text.js';
import { readDocument } from '../../src/modules/composing/document/read-document.js';

describe('a plain text as a document', () => {
  it('has its merge tags as nodes', () => {
    expect(documentOfText('Hi {{first_name|there}},\n{{7*7}}{{ company }}').content).toEqual([
      paragraph('Hi ', mergeTag('first_name', 'there'), ',', { type: 'hardBreak' }, '{{7*7}}', mergeTag('company')),
    ]);
  });

  it('is valid for any text', () => {
    const unit = fc.constantFrom(
      '{{a|',
      '}}',
      '{{b}}',
      'x',
      ' ',
      '\t',
      '\n',
      '\0',
      '\ud800',
      '\u2028',
      'y'.repeat(150),
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (given) => {
        expect(() => readDocument(documentOfText(given))).not.toThrow();
      }),
    );
  });
});
