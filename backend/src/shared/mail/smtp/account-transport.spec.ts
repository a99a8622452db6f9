import { describe, expect, it } from '@jest/globals';
import type { Settings } from '../../config/settings.js';
import { accountTransport } from './account-transport.js';
import { NodemailerTransport } from './nodemailer-transport.js';
import { smtpOptions } from './smtp-options.js';
import { SmtpPool } from './smtp-pool.js';

const opened = (query: string) => {
  const settings = { mailDomain: 'kit.test', production: false } as Settings;
  const transport = accountTransport(smtpOptions(settings, 7, `smtp://mail.test${query}`));
  transport.close();
  return transport;
};

describe('the transport of an account', () => {
  it.each([
    ['', SmtpPool],
    ['?client=pipelined', SmtpPool],
    ['?client=nodemailer', NodemailerTransport],
  ])('is the one that its URL names (%s)', (query, expected) => {
    expect(opened(query)).toBeInstanceOf(expected);
    expect(opened(query).width).toBe(7);
  });
});
