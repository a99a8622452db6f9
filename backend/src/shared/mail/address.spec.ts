import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { examinedAddress, isPlain, wireAddress, isSameMailbox, mailboxOf } from './address.js';

describe('an address that looks plain', () => {
  const word = (least: number, letters = 'abcz019') =>
    fc.array(fc.constantFrom(...letters), { minLength: least, maxLength: 6 }).map((all) => all.join(''));
  const joined = (by: string, most: number) =>
    fc
      .array(fc.tuple(word(1), fc.constantFrom(...by)), { minLength: 1, maxLength: most })
      .map((all) => all.flat().slice(0, -1).join(''));
  const plain = fc
    .tuple(joined('._+-', 3), joined('.-', 5), word(2, 'abcz'))
    .map(([local, domain, top]) => `${local}@${domain}.${top}`)
    .filter(isPlain);
  const odd = fc.constantFrom(
    '.',
    '-',
    '--',
    '_',
    '+',
    '@',
    ' ',
    'A',
    '0',
    'a'.repeat(40),
    'xn--',
    '1.',
    '\n',
    'é',
    '\u0130',
    '\u212a',
    '\u00ad',
    '\uff0e',
  );

  it('gets the same result as with the full parser', () => {
    fc.assert(
      fc.property(plain, (address) => {
        expect(examinedAddress(address)).toBe(address);
      }),
      { numRuns: 2000 },
    );
  });

  it('gets the same result where it looks almost plain', () => {
    fc.assert(
      fc.property(
        plain,
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), odd), { minLength: 1, maxLength: 3 }),
        (address, changes) => {
          const changed = changes.reduce(
            (text, [at, gone, put]) =>
              text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + gone),
            address,
          );
          expect(wireAddress(changed)).toBe(examinedAddress(changed));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('gets the same result at any length', () => {
    fc.assert(
      fc.property(fc.nat({ max: 80 }), fc.nat({ max: 80 }), fc.nat({ max: 30 }), (local, label, top) => {
        const address = `${'a'.repeat(local)}@${'b'.repeat(label)}.${'c'.repeat(top)}`;
        expect(wireAddress(address)).toBe(examinedAddress(address));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the mailbox behind an address', () => {
  it.each([
    ['nora+jobs@agency.example', 'nora@agency.example'],
    ['n.o.r.a@agency.example', 'n.o.r.a@agency.example'],
    ['n.o.r.a+x@gmail.com', 'nora@gmail.com'],
    ['nora@googlemail.com', 'nora@gmail.com'],
  ])('%s is %s', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox));

  it('is equal for two aliases', () => {
    expect(isSameMailbox('a.b+1@gmail.com', 'ab@googlemail.com')).toBe(true);
    expect(isSameMailbox('a.b@agency.example', 'ab@agency.example')).toBe(false);
  });
});
