import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contentToHtml } from './message-layout.js';
import { cutAtLinks } from '../../../shared/text/web-links.js';

const linksOf = (text: string): string[] =>
  cutAtLinks(text)
    .filter((part) => part.isLink)
    .map((part) => part.text);

describe('web addresses in a text', () => {
  it.each([
    ['see https://a.test/x?a=1&b=2, ok', 'https://a.test/x?a=1&b=2'],
    ['(https://a.test/x)', 'https://a.test/x'],
    ['https://a.test/x).', 'https://a.test/x'],
    ['[https://a.test]', 'https://a.test'],
    ['「https://a.test」', 'https://a.test'],
    ['https://a.test/(x)', 'https://a.test/(x)'],
    ['https://a.test/[x]', 'https://a.test/[x]'],
    ['https://a.test/((x))', 'https://a.test/((x))'],
    ['https://a.test/)(', 'https://a.test/'],
    ['https://a.test/x!?', 'https://a.test/x'],
    ['https://a.test;', 'https://a.test'],
    ['https://a.test/x;y', 'https://a.test/x;y'],
    ['https://a.test/x:', 'https://a.test/x'],
    ['<https://a.test>', 'https://a.test'],
    ['"https://a.test"', 'https://a.test'],
    ["'https://a.test/x'", 'https://a.test/x'],
    ["https://a.test/x's", "https://a.test/x's"],
    ['HTTPS://A.TEST', 'HTTPS://A.TEST'],
    ['https://localhost:3000/x', 'https://localhost:3000/x'],
    ['http://192.168.0.1/x', 'http://192.168.0.1/x'],
    ['https://[::1]/', 'https://[::1]/'],
    ['https://münchen.de/ü', 'https://münchen.de/ü'],
    ['http://日本.jp/日', 'http://日本.jp/日'],
    ['https://user@a.test:8080/%20#x', 'https://user@a.test:8080/%20#x'],
    ['https://a.test/x/http://b.test', 'https://a.test/x/http://b.test'],
    ['//https://x.test', 'https://x.test'],
    ['https://a.test/\u00a0x', 'https://a.test/'],
    ['https://a.test/\u202egpj.exe', 'https://a.test/'],
  ])('%s', (text, link) => expect(linksOf(text)).toEqual([link]));

  it.each([
    'xhttps://a.test',
    'http://',
    'https:// a.test',
    'http:///x',
    'https://...',
    'www.a.test',
    'ann@a.test',
    'ftp://a.test',
    'javascript:alert(1)',
    'httphttphttp://',
  ])('%s contains none', (text) => {
    expect(linksOf(text)).toEqual([]);
  });

  it('are split from any text without losing a character', () => {
    const unit = fc.constantFrom(
      'http://',
      'https://',
      'a',
      '.',
      '(',
      ')',
      ' ',
      '"',
      '<',
      '&',
      '\n',
      '💩',
      '\u202e',
      '\ud800',
      "'",
      '[',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), (text) =>
        expect(
          cutAtLinks(text)
            .map((part) => part.text)
            .join(''),
        ).toBe(text),
      ),
      { numRuns: 500 },
    );
  });

  it('link to the typed address', () => {
    expect(contentToHtml("https://a.test/?lang=en&copy and https://a.test/?a=&lt;b'c")).toBe(
      '<a href="https://a.test/?lang=en&amp;copy" rel="noopener noreferrer">https://a.test/?lang=en&amp;copy</a> and ' +
        '<a href="https://a.test/?a=&amp;lt;b&#39;c" rel="noopener noreferrer">https://a.test/?a=&amp;lt;b\'c</a>',
    );
  });

  it('keep indentation up to the width of a page', () => {
    expect(contentToHtml(' a\n\tb  c')).toBe('&nbsp;a<br>\n&nbsp;&nbsp;&nbsp;&nbsp;b  c');
    expect(contentToHtml('\t'.repeat(100_000)).length).toBe(1200);
  });
});
