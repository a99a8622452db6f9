import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { CONTACT_UNITS } from '../../../test/kit/samples/hostile-texts.js';
import { asOneLine, ONE_LINE } from './one-line.js';
import { holdsAddressOrLink, withoutContactDetails, quoted } from './contact-free-text.js';

describe('one line of text', () => {
  it.each(['Java vendors, East Coast', 'Ünïcode & Söhne', '日本語', 'O’Brien-Smith', 'C++ / C#', '🎉'])(
    'accepts %j',
    (text) => expect(text).toMatch(ONE_LINE),
  );

  it.each([
    '\u202e',
    '\u202a',
    '\u2066',
    '\u2069',
    '\u200b',
    '\u200e',
    '\u200f',
    '\u200d',
    '\ufeff',
    '\u2028',
    '\n',
    '\0',
    '\u00ad',
    '\u2060',
    '\u061c',
    '\u3164',
    '\u{e0041}',
  ])('refuses U+%j, and removes it from stored text', (mark) => {
    expect(`a${mark}b`).not.toMatch(ONE_LINE);
    expect(asOneLine(`a${mark}b`)).toMatch(/^a ?b$/);
  });
});

describe('user text in a mail', () => {
  it.each([
    ['Java vendors, East Coast', 'Java vendors, East Coast'],
    ['O’Brien & Sons (2026)', 'O’Brien & Sons (2026)'],
    ['Senior Node.js and ASP.NET people', 'Senior Node .js and ASP .NET people'],
    ['Acme Inc. U.S.A.', 'Acme Inc. U.S.A.'],
    ['invoice of $4,999', 'invoice of $4,999'],
  ])('keeps %j readable', (text, shown) => expect(withoutContactDetails(text)).toBe(shown));

  it.each([
    'pay now at https://evil.example/pay',
    'evil.example/pay',
    'www.evil.example',
    'EVIL.EXAMPLE',
    'pay:evil.example',
    'ceo@bank.com',
    'mailto:ceo@bank.com',
    'tel:+15551234567',
    'http:\\\\evil.example',
    '//evil.example',
    'evil。example',
    'evil．example',
    'ｅｖｉｌ．ｅｘａｍｐｌｅ',
    'evil․com',
    'evil.xn--p1ai',
    '(evil.co)',
    '<a href=evil.co>x',
    'ev\u200bil.com',
    'https\u200b://evil.com',
    'call +1 (555) 123-4567',
    '1-800-555-0100',
    '555.123.4567',
    '١٢٣٤٥٦٧٨',
    'javascript:alert(1)',
    'bit.ly?x',
    '127.0.0.1:8080/x',
    'пример.рф',
  ])('leaves no link or phone number in %j', (text) => expectHarmless(withoutContactDetails(text)));

  it('shows no mail address, however it is written', () => {
    expect(withoutContactDetails('write to ceo@bank.com now')).toBe('write to [address] now');
    expect(withoutContactDetails('ceo＠bank．com')).toBe('[address]');
  });

  it('is safe for any text', () => {
    const piece = fc.constantFrom(
      'a',
      'evil',
      '.',
      '/',
      ':',
      '@',
      ' ',
      'www.',
      'http',
      '://',
      'com',
      '5',
      '123',
      '-',
      '+',
      '\u200b',
      '\u202e',
      '．',
      '"',
      '”',
      '\n',
      'é',
    );
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 40 }), (text) => expectHarmless(withoutContactDetails(text))),
      { numRuns: 3000 },
    );
  });

  it('cannot close its quotation marks, is truncated, and is processed up to its first 2,000 characters only', () => {
    expect(quoted('x” from your bank “y')).toBe("“x' from your bank 'y”");
    expect([...quoted('long '.repeat(100))].length).toBeLessThan(110);
    for (const unit of CONTACT_UNITS) {
      const hostile = unit.repeat(2_000);
      expect(withoutContactDetails(hostile)).toBe(withoutContactDetails(hostile.slice(0, 2_000)));
      expectHarmless(withoutContactDetails(hostile));
    }
    const normalize = jest.spyOn(String.prototype, 'normalize');
    withoutContactDetails('\ufb01'.repeat(500_000));
    expect(normalize.mock.contexts.map((text) => String(text).length)).toEqual([2_000]);
    normalize.mockRestore();
  });
});

describe('an address or link in a name', () => {
  it.each([
    'https://evil.example/pay',
    'pay at www.evil.co',
    'Vendors of bank.com',
    'ceo@bank.com',
    'Write to <ceo@mail.bank.com>',
    'evil.example',
    'ｅｖｉｌ．ｃｏｍ',
    'evil。com',
    'пример.рф',
    'bücher.de',
    'hotlist(evil.io)',
    'evil.com-',
    'see evil.com_',
    'evil..com',
    '-evil.com',
    'EVIL.COM',
    'Vendors of Bank.com',
    'dr.com',
    'st.co',
  ])('is found in %j', (text) => expect(holdsAddressOrLink(text)).toBe(true));

  it.each([
    'Java vendors, East Coast',
    'Senior Node.js and ASP.NET people',
    'Acme Inc. U.S.A.',
    'Req #4.2 @ Boston',
    'Ann @work',
    'Sr.Java Developers',
    'B.Tech / M.Tech 2026',
    'B.Com freshers',
    'Infosys Pvt.Ltd',
    'R.K.Consulting',
    'S.Africa vendors',
    'Java.Net, Socket.io, Oracle.Cloud',
    'Full-Stack.Dev',
    'Lead.Java.Dev',
    'H1B.Info',
    'J.Ma',
    'A.De Silva',
    '1.2.3.4 version',
    '招聘。公司',
    'U.S. Citizens only',
    'C# / .NET',
    '$85.50/h',
    '',
  ])('is not found in %j', (text) => expect(holdsAddressOrLink(text)).toBe(false));
});

function expectHarmless(shown: string): void {
  expect(shown).not.toMatch(/:\/\/|www\.|@|[\p{L}\p{N}]\.\p{L}{2}|\bxn--\S+\.|:\S/iu);
  expect(shown).not.toMatch(/\p{Nd}(?:[\s().-]{0,2}\p{Nd}){6}/u);
  expect(shown).toMatch(ONE_LINE);
}
