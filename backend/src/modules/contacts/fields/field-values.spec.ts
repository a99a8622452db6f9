import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../../../shared/errors/app-error.js';
import { BUILT_IN_KEYS, FIELD_TYPES, CONTACT_LIMITS } from '../contacts.constants.js';
import { FIELD_KEY, keyOfLabel } from './field-keys.js';
import { type FieldDefinition, readFieldValue, readFieldValues } from './field-values.js';

const fieldOf = (type: FieldDefinition['type']): FieldDefinition => ({
  key: 'tier',
  label: 'Tier',
  type,
  options: ['A', 'B'],
});
const anyField = fc.constantFrom(...FIELD_TYPES).map(fieldOf);
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.webUrl(),
  fc.double(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  fc.constantFrom(
    'A',
    ['A', 'B', 'A'],
    ['C'],
    '',
    null,
    '1e400',
    '0x10',
    '-0.5',
    ' 12 ',
    'javascript:alert(1)',
    '2026-02-29',
  ),
);

describe('a value of a field', () => {
  it("is stored so that reading it again gives the same value, or is refused with the field's label", () => {
    fc.assert(
      fc.property(anyField, anyValue, (field, given) => {
        let value;
        try {
          value = readFieldValue(field, given);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).status).toBe(400);
          expect((error as AppError).message).toMatch(/^Tier must be/);
          return;
        }
        expect(readFieldValue(field, value)).toEqual(value);
        expect(JSON.parse(JSON.stringify(value))).toEqual(value);
        if (typeof value === 'string') {
          expect(value.length).toBeLessThanOrEqual(CONTACT_LIMITS.urlValue);
          expect(value).not.toMatch(/[\0\u202a-\u202e]/);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is accepted under a known key only, whatever keys are given', () => {
    const own = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString')),
      fc.string(),
      {
        noNullPrototype: false,
        minKeys: 1,
      },
    );
    fc.assert(
      fc.property(own, (given) => {
        const isKnown = Object.keys(given).every((key) => key === 'tier');
        const read = () => readFieldValues([fieldOf('text')], given);
        if (!isKnown) expect(read).toThrow(AppError);
      }),
    );
    expect(() => readFieldValues([fieldOf('text')], JSON.parse('{"__proto__": "x"}'))).toThrow('Unknown field');
  });
});

describe('the key of a label', () => {
  it('never equals the key of a built-in field, whatever the label', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...BUILT_IN_KEYS)), (label) => {
        const key = keyOfLabel(label);
        expect(key).toMatch(FIELD_KEY);
        expect(BUILT_IN_KEYS.has(key)).toBe(false);
      }),
    );
    expect([keyOfLabel('Visa Status'), keyOfLabel('Company'), keyOfLabel('1st call')]).toEqual([
      'visa_status',
      'company_2',
      'f_1st_call',
    ]);
  });
});
