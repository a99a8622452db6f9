import { describe, expect, it } from '@jest/globals';
import { verdictOf, type SmtpFault } from './smtp-verdict.js';

const fault = (
  responseCode: number | undefined,
  command: string,
  response = '',
  extra: Partial<SmtpFault> = {},
): SmtpFault => Object.assign(new Error('x'), { responseCode, command, response, ...extra });

describe('verdictOf', () => {
  it.each([
    [550, 'RCPT TO', '550 5.1.1 no such user', 'permanent', 'hard-address'],
    [550, 'RCPT TO', '550 User unknown', 'permanent', 'hard-address'],
    [550, 'RCPT TO', '550 5.1.10 null mx', 'permanent', 'hard-address'],
    [550, 'RCPT TO', '550 blocked', 'permanent', 'policy'],
    [550, 'RCPT TO', '550 5.7.1 user unknown to our policy', 'permanent', 'policy'],
    [552, 'RCPT TO', '552 5.2.2 over quota', 'permanent', 'mailbox-soft'],
    [552, 'DATA', '552 5.3.4 message too big', 'permanent', 'policy'],
    [552, 'MAIL FROM', '552 message size exceeds limit', 'permanent', 'policy'],
    [552, 'MAIL FROM', '552 5.3.4 too big', 'permanent', 'policy'],
    [452, 'MAIL FROM', '452 4.3.4 too big now', 'temporary', 'transient'],
    [554, 'DATA', '554 5.7.1 spam', 'permanent', 'policy'],
    [550, 'DATA', '550 5.1.1 no such user', 'permanent', 'policy'],
    [450, 'RCPT TO', '450 4.7.1 greylisted', 'temporary', 'transient'],
    [452, 'RCPT TO', '452 full', 'temporary', 'mailbox-soft'],
    [451, 'DATA', '451 4.3.0 later', 'temporary', 'transient'],
    [421, 'RCPT TO', '421 4.3.2 closing', 'temporary', 'transient'],
    [550, 'MAIL FROM', '550 5.7.1 sender refused', 'account', 'sender'],
    [450, 'MAIL FROM', '450 slow down', 'account', 'sender'],
    [535, 'AUTH PLAIN', '535 5.7.8 bad', 'account', 'sender'],
    [421, 'CONN', '421 busy', 'account', 'sender'],
  ] as const)('%s at %s (%s) is %s, %s', (status, command, response, kind, kindClass) => {
    expect(verdictOf(fault(status, command, response))).toMatchObject({ kind, class: kindClass });
  });

  it('distinguishes a connection lost before the end of the message from one lost after it', () => {
    expect(verdictOf(fault(undefined, 'CONN', '', { code: 'ECONNECTION', messageEnded: false }))).toMatchObject({
      kind: 'account',
      class: 'connection',
    });
    expect(verdictOf(fault(undefined, 'CONN', '', { code: 'ECONNECTION', messageEnded: true }))).toMatchObject({
      kind: 'unknown',
    });
  });

  it('never retries errors that are not network errors', () => {
    expect(verdictOf(new TypeError('boom'))).toMatchObject({ kind: 'permanent', class: 'content' });
  });

  it('reads the delay that the server asks for', () => {
    expect(verdictOf(fault(450, 'RCPT TO', '450 greylisted, try again in 5 minutes')).retryAfterSeconds).toBe(300);
    expect(verdictOf(fault(450, 'RCPT TO', '450 come back in 90 seconds')).retryAfterSeconds).toBe(90);
  });
});
