import { describe, expect, it } from '@jest/globals';
import { documentFromText, documentText, emptyDocument, isEmptyDocument } from './document';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeHref } from './href';
import { tagsIn } from './tags/tag-syntax';

describe('a document made of plain text', () => {
  it('has paragraphs, line breaks and lists, and converts to the same text again', () => {
    const text = 'Hello,\n\nTitle: [job title]\nRate: [rate]\n\nSkills:\n\n- Java\n- AWS\n\nBest regards,';
    const document = documentFromText(text);
    expect(document.content.map(({ type }) => type)).toEqual([
      'paragraph',
      'paragraph',
      'paragraph',
      'bulletList',
      'paragraph',
    ]);
    expect(documentText(document)).toBe(text);
  });

  it('counts as empty where nothing is visible', () => {
    expect(isEmptyDocument(emptyDocument())).toBe(true);
    expect(isEmptyDocument(documentFromText(' \n\n '))).toBe(true);
    expect(isEmptyDocument(documentFromText('x'))).toBe(false);
  });
});

describe('the address of a link', () => {
  it.each([
    ['acme.com/jobs', 'https://acme.com/jobs'],
    ['https://acme.com', 'https://acme.com'],
    ['dana@northline.example', 'mailto:dana@northline.example'],
    ['tel:+12025550123', 'tel:+12025550123'],
    ['acme.com:8080/x', 'https://acme.com:8080/x'],
  ])('%s is %s', (typed, href) => expect(normalizeHref(typed)).toBe(href));

  it.each([
    '',
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'https://user:pw@acme.com',
    'a b',
    'file:///etc',
    'acme',
    'https://a\u0000b.com',
  ])('%j is no valid address', (typed) => expect(normalizeHref(typed)).toBeNull());
});

describe('merge tags in a line', () => {
  it('are read with their fallbacks, in both spellings; other braces are text', () => {
    expect(
      tagsIn('Hi {{first_name|there}}, {{ company | default: "your team" }}: {{field.visa}} {{7*7}} {{Bad}}').map(
        ({ tag, fallback }) => [tag, fallback],
      ),
    ).toEqual([
      ['first_name', 'there'],
      ['company', 'your team'],
      ['field.visa', null],
    ]);
  });

  it('are the same as on the server', () => {
    const written = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../test/merge-tags.json'), 'utf8'),
    ) as readonly [text: string, tags: [tag: string, fallback: string | null][]][];
    for (const [text, tags] of written)
      expect([text, tagsIn(text).map(({ tag, fallback }) => [tag, fallback])]).toEqual([text, tags]);
  });
});
