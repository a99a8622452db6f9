import { describe, expect, it } from '@jest/globals';
import { isRateRefusal } from '../../src/modules/delivery/throttling/rate-refusal.js';
import { verdictOf } from '../../src/shared/mail/smtp/smtp-verdict.js';

const answered = (response: string, command = 'RCPT TO') =>
  isRateRefusal(
    verdictOf({ name: 'Error', message: response, command, response, responseCode: Number(response.slice(0, 3)) }),
  );

describe('a temporary reply', () => {
  it.each([
    '452 Mailbox quota exceeded',
    '452 4.2.2 The email account that you tried to reach is over quota',
    '450 Requested action not taken: mailbox quota exceeded',
    '451 Storage limit of the recipient exceeded',
    '452 Mailbox quota exceeded, sender should try later',
    "452 The recipient's mailbox exceeded its daily quota",
    '452 Quota exceeded',
    '452 Requested action not taken: insufficient system storage',
    '450 4.2.1 The user is receiving mail at a rate that prevents additional messages',
    '450 4.7.1 Greylisted, try again later',
    '450 mailbox busy',
  ])('about one mailbox asks for no lower rate: %s', (response) => {
    expect(answered(response)).toBe(false);
    expect(answered(response, 'DATA')).toBe(false);
  });

  it.each([
    '421 Too busy, closing connection',
    '452 Too many messages from your address, slow down',
    '450 Message rate exceeded for your network',
    '451 Connection limit exceeded',
    '450 4.7.28 Our system has detected an unusual rate of mail',
    '451 4.3.2 System not accepting messages',
    '452 Too many connections, storage of mail is limited',
    '451 Sending limit exceeded',
    '450 Daily sending quota exceeded',
    '452 You have exceeded your hourly quota',
    '451 Sender quota exceeded, try later',
    '452 Outgoing mail quota exceeded for your account',
    '450 4.0.0 quota exceeded for your IP',
  ])('about our mail asks for a lower rate: %s', (response) => {
    expect(answered(response)).toBe(true);
  });
});
