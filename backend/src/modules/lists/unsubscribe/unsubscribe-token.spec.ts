import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mintToken } from '../../../shared/tokens/tokens.js';
import { networkToken, readUnsubscribeToken } from './unsubscribe-links.service.js';

describe('the token of an unsubscribe link', () => {
  it('names the sender of a mail to the network', () => {
    const [contact, sender] = [mintToken(), randomUUID()];
    const token = networkToken(contact, sender);
    expect(token).toHaveLength(66);
    expect(token).toMatch(/^[\w-]{43}\.[\w-]{22}$/);
    expect(readUnsubscribeToken(token)).toEqual({ contact, senderId: sender });
  });

  it("of a user's own list names no sender", () => {
    const contact = mintToken();
    expect(readUnsubscribeToken(contact)).toEqual({ contact, senderId: null });
  });

  it.each([
    '',
    'x',
    '.',
    'a'.repeat(44),
    `${'a'.repeat(43)}.`,
    `${'a'.repeat(43)}.short`,
    `${'a'.repeat(43)}.${'b'.repeat(22)}.c`,
    `${'a'.repeat(43)}.${'!'.repeat(22)}`,
    'z'.repeat(10_000),
  ])('rejects %j', (token) => {
    expect(readUnsubscribeToken(token)).toBeNull();
  });
});
