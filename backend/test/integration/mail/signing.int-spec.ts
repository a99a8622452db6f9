import { describe, expect, it } from '@jest/globals';
import { createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { composeMessage, splitMessage } from '../../../src/shared/mail/smtp/bulk-transport.js';
import { DkimSigner } from '../../../src/shared/mail/smtp/dkim-signer.js';
import { mailerBridge } from '../../../src/shared/mail/smtp/mailer-bridge.js';
import { CLIENTS, sink } from './transport-support.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const dkim = {
  domainName: 'kit.test',
  keySelector: 's1',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  headerFieldNames: 'From:To:Subject:Message-ID:List-Unsubscribe-Post:Content-Type:MIME-Version:Date',
};

describe('signing', () => {
  const odd = {
    from: 'a@kit.test',
    to: 'b@x.test',
    subject: 'Folded '.repeat(20),
    text: 'Two  spaces \t and trailing   \n\n.dot\n\n\n',
    html: '<p>é</p>',
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };

  it("gives valid signatures, with the library's body hash", async () => {
    const ready = await composeMessage({ ...odd, messageId: '<1@kit.test>', date: new Date(0) });
    const line = await new DkimSigner(dkim).signatureOf(ready);
    const tags = Object.fromEntries(
      line
        .replace(/\r\n/g, '')
        .replace(/^DKIM-Signature: /, '')
        .split(';')
        .map((tag) => [tag.slice(0, tag.indexOf('=')).trim(), tag.slice(tag.indexOf('=') + 1).replace(/\s/g, '')]),
    );
    const names = tags.h!.split(':');
    expect(names).toEqual([
      'from',
      'to',
      'subject',
      'message-id',
      'list-unsubscribe-post',
      'content-type',
      'mime-version',
      'date',
    ]);
    const lines = ready.head.replace(/\r\n([ \t])/g, '$1').split('\r\n');
    const relaxed = (text: string) => text.replace(/[ \t]+/g, ' ').trim();
    const covered = [
      ...names
        .map((name) => lines.find((one) => one.toLowerCase().startsWith(`${name}:`))!)
        .map(
          (one) => `${one.slice(0, one.indexOf(':')).toLowerCase()}:${relaxed(one.slice(one.indexOf(':') + 1))}\r\n`,
        ),
      `dkim-signature:${relaxed(
        line
          .replace(/\r\n/g, '')
          .slice(15)
          .replace(/b=[A-Za-z0-9+/= ]*$/, 'b='),
      )}`,
    ].join('');
    expect(createVerify('sha256').update(covered).verify(createPublicKey(privateKey), tags.b!, 'base64')).toBe(true);
    expect(Math.max(...line.split('\r\n').map((one) => one.length))).toBeLessThanOrEqual(78);
    const theirs = createTransport({ streamTransport: true, buffer: true, newline: 'windows', dkim } as never);
    const signed = String(
      (
        (await theirs.sendMail({ ...odd, messageId: '<1@kit.test>', date: new Date(0) } as never)) as unknown as {
          message: Buffer;
        }
      ).message,
    );
    const ours = await new DkimSigner(dkim).signatureOf(splitMessage(signed, { from: 'a@kit.test', to: 'b@x.test' }));
    const hashOf = (text: string) => /bh=([^;]+);/.exec(text)![1]!.replace(/\s/g, '');
    expect(hashOf(ours)).toBe(hashOf(signed));
  });

  it('lists over-signed headers once more, also absent ones, and covers only the present ones', async () => {
    const ready = await composeMessage({ ...odd, messageId: '<1@kit.test>', date: new Date(0) });
    const line = await new DkimSigner({
      ...dkim,
      headerFieldNames: 'From:Subject:Reply-To',
      overSignedNames: 'From:Subject:Reply-To',
    }).signatureOf(ready);
    const unfolded = line.replace(/\r\n[ \t]/g, '').replace(/\r\n$/, '');
    expect(/;\s*h=([^;]+);/.exec(unfolded)![1]!.replace(/\s/g, '')).toBe('from:subject:from:subject:reply-to');
    const relaxed = (text: string) =>
      text
        .replace(/\r\n/g, '')
        .replace(/[ \t]+/g, ' ')
        .trim();
    const value = (name: string) => relaxed(new RegExp(`^${name}:((?:.|\\r\\n[ \\t])*)`, 'im').exec(ready.head)![1]!);
    const covered = `from:${value('From')}\r\nsubject:${value('Subject')}\r\ndkim-signature:${relaxed(line.slice(15).replace(/b=[A-Za-z0-9+/=\s]*$/, 'b='))}`;
    expect(
      createVerify('sha256')
        .update(covered)
        .verify(createPublicKey(privateKey), /;\s*b=([^;]*)$/.exec(unfolded)![1]!.replace(/\s/g, ''), 'base64'),
    ).toBe(true);
  });

  it.each(CLIENTS)('applies to mail of the mailer module too (%s)', async (_name, pool) => {
    const mailer = createTransport(mailerBridge(pool({ dkim })) as never);
    await mailer.sendMail({ ...odd, to: { name: '', address: 'ok-sys@x.test' } } as never);
    expect(sink.stored[0]!.raw).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=kit\.test/);
    expect(sink.stored[0]!.address).toBe('ok-sys@x.test');
    await expect(mailer.sendMail({ ...odd, to: 'p550-sys@x.test' } as never)).rejects.toMatchObject({
      command: 'RCPT TO',
      responseCode: 550,
    });
  });

  it.each(CLIENTS)(
    'reports the loss of a half-sent message as such, not as a lost answer (%s)',
    async (_name, pool) => {
      const ready = await composeMessage({ ...odd, text: 'x'.repeat(20_000_000), messageId: '<2@kit.test>' });
      const sent = pool({ dkim }).send({ ...ready, envelope: { from: 'a@kit.test', to: 'cutdata-a@x.test' } });
      await expect(sent).rejects.toMatchObject({ messageEnded: false, command: 'CONN' });
    },
  );

  it.each(CLIENTS)('covers the listed headers and exactly the bytes that are sent (%s)', async (_name, pool) => {
    const ready = await composeMessage({ ...odd, messageId: '<3@kit.test>', date: new Date(0) });
    await pool({ dkim }).send({ ...ready, envelope: { from: 'a@kit.test', to: 'ok-a@x.test' } });
    const { raw } = sink.stored[0]!;
    const [own] = (await new DkimSigner(dkim).signatureOf(ready)).replace(/\s/g, '').match(/bh=[^;]+;h=[^;]+;/)!;
    const sent = raw.slice(0, raw.indexOf('\r\nFrom:')).replace(/\s/g, '');
    expect(sent).toContain(own);
    expect(raw.endsWith(`${ready.head}\r\n${ready.body}`)).toBe(true);
  });

  it.each(CLIENTS)('refuses a key that cannot sign (%s)', (_name, pool) => {
    expect(() => pool({ dkim: { ...dkim, privateKey: 'no key' } })).toThrow();
  });
});
