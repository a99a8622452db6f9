import { describe, expect, it } from '@jest/globals';
import { phoneE164 } from './phone-number.js';

describe('a phone number in E.164', () => {
  it.each([
    ['(512) 555-0142', undefined, '+15125550142'],
    ['512.555.0142', null, '+15125550142'],
    ['+44 20 7946 0958', undefined, '+442079460958'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['512-555-0142', 'ZZ', '+15125550142'],
  ])('%s in %s is %s', (typed, country, e164) => expect(phoneE164(typed, country)).toBe(e164));

  it.each(['call me', '12', '', `+1${'0'.repeat(80)}`, 'see 512-555-0142 or mail'])('%s is none', (typed) =>
    expect(phoneE164(typed)).toBeNull(),
  );
});
