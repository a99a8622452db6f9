import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { hostileText, HOSTILE_UNITS } from './kit/samples/hostile-texts.js';
import { quotedPrintable, quotedValue } from '../src/modules/delivery/message/quoted-printable.js';

/** Decodes text according to RFC 2045. */
const decode = (encoded: string) =>
  Buffer.from(
    encoded
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  );

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom(' ', '\t', '.', '=', '\n', '\r\n', '\r', 'é', '語', '👩‍👩‍👧‍👦', '\ud800', 'x', 'word '), {
      maxLength: 300,
    })
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('x', '.', ' ', '=', 'é', '語', '😀'), fc.nat({ max: 400 }))
    .map(([unit, times]) => unit.repeat(times)),
);

describe('a value in quoted-printable', () => {
  it('has no line that could be taken for the end of a part', () => {
    const values = fc.array(fc.constantFrom('-', '--', '---', 'x', '=00', '=', 'é', ' ', 'word'.repeat(18)), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(values, (parts) => {
        const encoded = quotedValue(parts.join(''));
        expect(encoded).not.toMatch(/^--/m);
        expect(decode(encoded).toString('utf8')).toBe(parts.join(''));
        for (const line of encoded.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
      }),
      { numRuns: 1000 },
    );
    expect(quotedValue('--b')).toBe('=2D=2Db');
  });
});

describe('quoted-printable', () => {
  it('decodes to the original text, in lines that servers do not change', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const encoded = quotedPrintable(text);
        expect(decode(encoded).toString('utf8')).toBe(Buffer.from(text).toString('utf8').replace(/\r?\n/g, '\r\n'));
        expect(encoded).toMatch(/^[\t\r\n\x20-\x7e]*$/);
        expect(encoded).not.toMatch(/[^\r]\n|\r[^\n]|[ \t]\r|[ \t]$|^\.|\n\./);
        const lines = encoded.split('\r\n');
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76);
        expect(lines.at(-1)!.length).toBeLessThanOrEqual(75);
        for (const line of lines) expect(line).not.toMatch(/=[0-9A-F]?[^0-9A-F=]|=[0-9A-F]$/);
      }),
      { numRuns: 1000 },
    );
  });

  it('never splits a character', () => {
    for (const unit of ['é', '語', '😀']) {
      for (const line of quotedPrintable(unit.repeat(200)).split('=\r\n'))
        expect(decode(line).toString('utf8')).toMatch(new RegExp(`^(${unit})*$`, 'u'));
    }
  });

  it('encodes a long text of any script in one pass over its bytes', () => {
    const from = jest.spyOn(Buffer, 'from');
    for (const [kind, unit] of Object.entries(HOSTILE_UNITS)) {
      const text = hostileText(unit, 5_000);
      const bytes = Buffer.from(text);
      let reads = 0;
      const counted = new Proxy(bytes, {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
          return Reflect.get(target, key, target) as unknown;
        },
      });
      from.mockReturnValueOnce(counted);
      const encoded = quotedPrintable(text);
      expect([kind, decode(encoded).toString('utf8')]).toEqual([
        kind,
        bytes.toString('utf8').replace(/\r?\n/g, '\r\n'),
      ]);
      expect(reads).toBeGreaterThanOrEqual(bytes.length);
      // The encoder reads each byte, and looks ahead after a blank or a CR.
      expect(reads).toBeLessThanOrEqual(4 * bytes.length);
    }
    from.mockRestore();
  });
});
