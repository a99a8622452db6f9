import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LINK_UNITS, TAG_UNITS } from '../../../../test/kit/samples/hostile-texts.js';
import { type ComposedMessage, isTag, type Piece } from '../../../shared/merge-tags/pieces.js';
import { resolveTags } from './resolve-tags.js';
import { tagCatalogue } from './tag-catalogue.js';
import { placedTags, readTags } from './tag-syntax.js';

const ann = { firstName: 'Ann', lastName: 'Kumar', email: 'ann@acme.test', agencyName: 'A & B', timeZone: 'UTC' };
const fields = [
  { key: 'visa_status', label: 'Visa status', labels: ['Visa status', 'visa-status'] },
  { key: 'company', label: 'Company', labels: ['Company'] },
];
const catalogue = tagCatalogue(ann, ['Java people'], fields, new Date('2026-11-22T12:00:00Z'));
const compose = (subject: string, content: string, html: Piece[] | null = null): ComposedMessage =>
  resolveTags({ subject: readTags(subject), preheader: [], text: readTags(content), html }, catalogue);
const faultOf = (subject: string, content: string) => {
  try {
    compose(subject, content);
  } catch (error) {
    return error as { code: string; message: string };
  }
  return null;
};

describe('merge tags in a text', () => {
  it.each([
    ['{{first_name}}', 'first_name', null],
    ['{{ first_name }}', 'first_name', null],
    ['{{first_name|there}}', 'first_name', 'there'],
    ['{{first_name| there }}', 'first_name', 'there'],
    ['{{first_name|}}', 'first_name', null],
    ['{{ first_name | default: "my friend" }}', 'first_name', 'my friend'],
    ["{{first_name|default:'x'}}", 'first_name', 'x'],
    ['{{field.visa_status|none}}', 'field.visa_status', 'none'],
    ['{{first_name|a|b}}', 'first_name', 'a|b'],
    ['{{first_name|a\u202eb}}', 'first_name', 'ab'],
  ])('%s', (text, tag, fallback) => expect(readTags(`Hi ${text},`)).toEqual(['Hi ', { tag, fallback }, ',']));

  it.each([
    '{{7*7}}',
    '{{First_Name}}',
    '{{}}',
    '{{ }}',
    '{first_name}',
    '{{first_name}',
    '*|FNAME|*',
    '{{first\nname}}',
    `{{${'a'.repeat(61)}}}`,
  ])('%s is plain text', (text) => expect(readTags(text)).toEqual([text]));

  it('have the places at which they were typed, and text in braces that is none has no place', () => {
    const text = 'Hi {{First_Name}} {{ first_name |there}}, {{company}}{{7*7}}';
    expect(placedTags(text).map(({ from, to, ...tag }) => [text.slice(from, to), tag])).toEqual([
      ['{{ first_name |there}}', { tag: 'first_name', fallback: 'there' }],
      ['{{company}}', { tag: 'company', fallback: null }],
    ]);
  });

  it('are those that the editor shows', () => {
    const written = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../../../frontend/test/merge-tags.json'), 'utf8'),
    ) as readonly [text: string, tags: [tag: string, fallback: string | null][]][];
    for (const [text, tags] of written) {
      const read = readTags(text).filter(isTag);
      expect([text, read.map(({ tag, fallback }) => [tag, fallback])]).toEqual([text, tags]);
    }
  });

  it('are found within further braces and beside any number of open ones', () => {
    const tag = { tag: 'first_name', fallback: null };
    expect(readTags('{{{first_name}}}')).toEqual(['{', tag, '}']);
    for (const unit of TAG_UNITS) {
      const hostile = unit.repeat(1_000);
      expect(readTags(hostile)).toEqual([hostile]);
      expect(readTags(`${hostile}\n{{first_name}}`)).toEqual([`${hostile}\n`, tag]);
    }
  });

  it('are replaced, everything else is kept', () => {
    const unit = fc.constantFrom('{', '}', '{{', '}}', 'a', '|', '.', '7', ' ', '\n', '"');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 80 }), (text) => {
        const texts = readTags(text).filter((piece) => typeof piece === 'string');
        for (const piece of texts) expect(text).toContain(piece);
      }),
    );
  });
});

describe('the tags of a message', () => {
  it('that are equal for all recipients are filled at once, those of the contact are kept', () => {
    const message = compose(
      '{{today}} {{first_name|x}}',
      'From {{sender_name}} of {{agency_name}}, {{list_name}}: {{company}}',
      ['<p>', { tag: 'agency_name', fallback: null }, '</p>'],
    );
    expect(message.subject).toEqual(['November 22, 2026 ', { tag: 'first_name', fallback: 'x' }]);
    expect(message.text).toEqual([
      'From Ann Kumar of A & B, ',
      { tag: 'list_name', fallback: null },
      ': ',
      { tag: 'company', fallback: null, labels: ['Company'] },
    ]);
    expect(message.html).toEqual(['<p>A &amp; B</p>']);
  });

  it('refuse the message where one is unknown, with a suggestion', () => {
    expect(faultOf('Hi', '{{fist_name}}')).toMatchObject({
      code: 'unknown_merge_tag',
      message: 'Unknown merge tag: {{fist_name}}. Did you mean {{first_name}}?',
    });
    expect(faultOf('{{contact.firstname}}', 'x')?.message).toContain('Did you mean {{first_name}}?');
    expect(faultOf('Hi', '{{visa_status}}')?.message).toContain('Did you mean {{field.visa_status}}?');
    expect(faultOf('Hi', '{{zzzzzzzzzz}}')?.message).toBe('Unknown merge tag: {{zzzzzzzzzz}}.');
    expect(faultOf('Hi', '{{constructor}}')?.code).toBe('unknown_merge_tag');
  });

  it('are refused inside web addresses', () => {
    for (const text of [
      'https://a.test/{{email}}',
      'see https://a.test/?x={{first_name|y}}&z',
      'https://{{company}}.test',
    ])
      expect(faultOf('Hi', text)).toMatchObject({ code: 'tag_in_link' });
    expect(faultOf('Hi', 'https://a.test/x {{email}} https://a.test/{{sender_email}}')).toBeNull();
  });

  it.each([
    '{{company|https://collect.test/?e=}}{{email}}',
    'ht{{company|tps://x/?e=}}{{email}}',
    'https:/{{company|/x/?e=}}{{email}}',
    '{{email}}{{company|.collect.test/ and more}}',
    '{{company|see https://collect.test/?e=}}{{email}}',
    'collect.test{{company|a b/}}/{{email}}',
    '{{last_name|a b}}{{company|.collect.test/}}',
    'www.collect.test/?e={{email}}',
    'WWW.collect{{email}}',
    'collect.test/{{email}}',
    '(collect.test?e={{email|x}})',
    '{{email}}.collect.test/',
    'collect.{{company}}/{{email}}',
    'collect.test/{{email}}://',
    'https://a.test){{email}}',
  ])('are refused in an address that a mail program would detect: %s', (text) =>
    expect(faultOf('Hi', text)).toMatchObject({ code: 'tag_in_link' }),
  );

  it.each([
    'Hi {{first_name}},',
    '{{company}}/{{first_name}}',
    'Write to {{email}}.',
    '{{first_name}}...and more? $60.50/hr-{{company}}',
    '你好{{first_name|a}}{{company|b}}，https://a.test/x?y',
    '<https://a.test>{{first_name}}',
    'Book at {{company|https://a.test/ann}} or {{last_name|www.a.test/ann?x}}.',
  ])('are allowed beside any other text: %s', (text) => expect(faultOf('Hi', text)).toBeNull());

  it('are checked for addresses in any text before them', () => {
    for (const unit of LINK_UNITS) {
      const hostile = unit.repeat(2_000);
      expect([unit, faultOf('Hi', `{{email}} ${hostile} {{company|x}}`)]).toEqual([unit, null]);
      expect([unit, faultOf('Hi', `{{email}} ${hostile} https://a.test/?x={{company|x}}`)?.code]).toEqual([
        unit,
        'tag_in_link',
      ]);
    }
    expect(faultOf('Hi', '{{email|w}}: '.repeat(500))).toBeNull();
  });

  it('are refused where the subject could become empty', () => {
    expect(faultOf('{{first_name}} {{company}}', 'x')?.message).toBe(
      'Subject could be empty: give First name a fallback',
    );
    for (const subject of ['{{first_name|there}}', '{{first_name}}!', '{{first_name}} {{today}}', '{{list_name}}'])
      expect(faultOf(subject, 'x')).toBeNull();
  });

  it('are limited to 500', () => expect(faultOf('Hi', '{{email}}'.repeat(501))?.message).toContain('At most 500'));

  it('are limited to 50 distinct ones of the contact', () => {
    const many = Array.from({ length: 51 }, (_, n) => ({ key: `f${n}`, label: `F${n}`, labels: [`F${n}`] }));
    const known = tagCatalogue(ann, [], many, new Date());
    const messageWith = (count: number): ComposedMessage => {
      const tags = many.slice(0, count).map(({ key }): Piece => ({ tag: `field.${key}`, fallback: null }));
      const subject = ['Hi ', ...tags.slice(0, 26)];
      return { subject, preheader: [], text: ['{', ...tags, ...readTags('{{list_name}} {{today}}')], html: null };
    };
    expect(() => resolveTags(messageWith(50), known)).not.toThrow();
    expect(() => resolveTags(messageWith(51), known)).toThrow(/At most 50 different merge tags of a contact/);
  });
});
