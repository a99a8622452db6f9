import { describe, expect, it } from '@jest/globals';
import { isSameMailbox, mailboxOf } from './mailbox.js';

describe('the mailbox behind an address', () => {
  it.each([
    ['nora+jobs@agency.example', 'nora@agency.example'],
    ['n.o.r.a@agency.example', 'n.o.r.a@agency.example'],
    ['n.o.r.a+x@gmail.com', 'nora@gmail.com'],
    ['nora@googlemail.com', 'nora@gmail.com'],
  ])('%s is %s', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox));

  it('is the same for two aliases', () => {
    expect(isSameMailbox('a.b+1@gmail.com', 'ab@googlemail.com')).toBe(true);
    expect(isSameMailbox('a.b@agency.example', 'ab@agency.example')).toBe(false);
  });
});
