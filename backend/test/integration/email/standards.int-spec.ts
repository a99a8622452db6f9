import { describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { BatchDelivery } from '../../../src/modules/delivery/batches/batch-delivery.service.js';
import { MessageComposer } from '../../../src/modules/delivery/message/message-composer.js';
import { PreparedSends } from '../../../src/modules/delivery/message/prepared-sends.js';
import { doc, mergeTag, paragraph, table } from '../../kit/samples/documents.js';
import { type StoredMail } from '../../kit/sink/sink-modes.js';
import { seedList, send, sendBody, settled } from '../sending/support.js';
import { field, fieldsOf, headOf, partsOf } from './support.js';
import { verifyDkim } from './verify-dkim.js';
import { keys, sink, app, unlimited, mail } from './standards-support.js';
import { until } from '../../kit/until.js';

/** The header fields of every message of a send. */
const HEADERS = [
  'content-type',
  'date',
  'dkim-signature',
  'feedback-id',
  'from',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'message-id',
  'mime-version',
  'precedence',
  'reply-to',
  'subject',
  'to',
];
const dns = { 'k1._domainkey.staffcast.test': `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}` };

describe('a message of a send', () => {
  it('has one recipient, named alone', async () => {
    const user = await app.user(unlimited);
    const addresses = ['m1-a@x.test', 'm1-b@x.test', 'm1-c@x.test'];
    const mails = await mail(user, { addresses });
    expect(addresses.map(sink.attemptsOf)).toEqual([1, 1, 1]);
    mails.forEach(({ raw }, i) => {
      expect(field(raw, 'to')).toBe(addresses[i]);
      expect(fieldsOf(raw).filter(([key]) => key === 'cc' || key === 'bcc')).toEqual([]);
      for (const other of addresses.filter((one) => one !== addresses[i])) expect(raw).not.toContain(other);
    });
  });

  it('has every header exactly once, and none that reveals internals', async () => {
    const [{ raw }] = (await mail(await app.user(unlimited))) as [StoredMail];
    const names = fieldsOf(raw).map(([key]) => key);
    expect([...names].sort()).toEqual(HEADERS);
    expect(field(raw, 'precedence')).toBe('bulk');
    expect(field(raw, 'feedback-id')).toMatch(/^c[0-9a-f]{12}:l[0-9a-f]{12}:u[0-9a-f]{12}:staffcast$/);
    expect(
      new Set(
        field(raw, 'feedback-id')
          .split(':')
          .map((part) => part.replace(/^[clu]/, '')),
      ).size,
    ).toBe(4);
  });

  it('offers one-click unsubscribing by RFC 8058', async () => {
    const [{ raw }] = (await mail(await app.user(unlimited))) as [StoredMail];
    const line = headOf(raw)
      .split('\r\n')
      .find((one) => /^list-unsubscribe:/i.test(one))!;
    const [, url] =
      /^List-Unsubscribe: <(http:\/\/staffcast\.test\/unsubscribe\/[\w-]{43}\?m=[0-9a-z]+)>$/.exec(line) ?? [];
    expect(url).toBeDefined();
    expect(new URL(url!).pathname).not.toMatch(/^\/api/);
    expect(headOf(raw).split('\r\n')).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  it('has a signature over all headers by a key of the From domain', async () => {
    const [{ raw }] = (await mail(await app.user(unlimited), { content: 'Signed  \n\ttext\n\n.\n\n\n' })) as [
      StoredMail,
    ];
    const result = await verifyDkim(raw, dns);
    expect(result).toMatchObject({ verdict: 'pass', domain: 'staffcast.test', bits: 2048 });
    const tags = Object.fromEntries(
      field(raw, 'dkim-signature')
        .replace(/\r\n[ \t]+/g, ' ')
        .split(';')
        .map((tag) => tag.trim().split(/=(.*)/s).slice(0, 2) as [string, string]),
    );
    const signed = tags
      .h!.toLowerCase()
      .split(':')
      .map((name) => name.trim());
    for (const name of [
      'from',
      'reply-to',
      'subject',
      'date',
      'message-id',
      'to',
      'mime-version',
      'content-type',
      'list-id',
      'list-unsubscribe',
      'list-unsubscribe-post',
      'feedback-id',
    ])
      expect(signed).toContain(name);
    expect(tags).toMatchObject({ a: 'rsa-sha256', c: 'relaxed/relaxed', d: 'staffcast.test' });
    expect(tags).not.toHaveProperty('l');
    const touched = await verifyDkim(raw.replace('One-Click', 'Two-Click'), dns);
    expect(touched.verdict).toBe('fail');
  });

  it('has an invalid signature after adding a second From, Reply-To, Subject, Date or To', async () => {
    const [{ raw }] = (await mail(await app.user(unlimited))) as [StoredMail];
    const [, names] = /[ \t;]h=([^;]+);/.exec(field(raw, 'dkim-signature').replace(/\r\n[ \t]+/g, ''))!;
    const count = (name: string) => names!.split(':').filter((one) => one.trim() === name).length;
    expect(['from', 'reply-to', 'subject', 'date', 'to', 'message-id'].map(count)).toEqual([2, 2, 2, 2, 2, 1]);
    expect((await verifyDkim(raw, dns)).verdict).toBe('pass');
    for (const added of [
      'From: Bank <a@bank.test>',
      'Reply-To: evil@x.test',
      'Subject: Pay now',
      'Date: Mon, 1 Jan 2029 00:00:00 +0000',
      'To: others@x.test',
    ]) {
      expect([added, (await verifyDkim(`${added}\r\n${raw}`, dns)).verdict]).toEqual([added, 'fail']);
      expect([added, (await verifyDkim(raw.replace(/\r\n\r\n/, `\r\n${added}\r\n\r\n`), dns)).verdict]).toEqual([
        added,
        'fail',
      ]);
    }
    expect((await verifyDkim(`X-Relay: one\r\n${raw}`, dns)).verdict).toBe('pass');
  });

  it("comes from the product's address on behalf of the user, with the user in Reply-To", async () => {
    const user = await app.user({ ...unlimited, email: 'recruiter@gmail.com' });
    const [{ raw }] = (await mail(user)) as [StoredMail];
    expect(field(raw, 'from')).toBe('Ann Kumar via Staffcast <no-reply@staffcast.test>');
    expect(field(raw, 'reply-to')).toBe('Ann Kumar <recruiter@gmail.com>');
  });

  it('has a unique envelope sender', async () => {
    const mails = await mail(await app.user(unlimited), { addresses: ['m6-a@x.test', 'm6-b@x.test', 'm6-c@x.test'] });
    const senders = mails.map((one) => one.envelopeFrom);
    expect(new Set(senders).size).toBe(3);
    for (const sender of senders) {
      expect(sender).toMatch(/^[a-z2-7-]{1,64}@bounces\.staffcast\.test$/);
    }
  });

  it('is identical at every attempt, also composed by another worker', async () => {
    const [refused, cut] = ['d451x2-m7@x.test', 'cutdot2-m7@x.test'];
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: [refused, cut] }));
    for (let copies = 1; copies <= 2; copies++) {
      await until(() => sink.storedOf(cut).length >= copies);
      Object.assign(app.get(BatchDelivery), { prepared: new PreparedSends(app.get(MessageComposer)) });
    }
    expect((await settled(user, id)).counts).toMatchObject({ sent: 2 });
    expect([refused, cut].map(sink.attemptsOf)).toEqual([3, 3]);
    expect(sink.storedOf(cut)).toHaveLength(3);
    for (const copies of [sink.storedOf(refused), sink.storedOf(cut)]) {
      expect(new Set(copies.map(({ raw }) => raw.replace(/^DKIM-Signature:.*?\r\n(?![ \t])/s, ''))).size).toBe(1);
      expect(new Set(copies.map(({ messageId }) => messageId)).size).toBe(1);
    }
  });

  it("has the current date and a Message-ID of the product's domain", async () => {
    const before = Date.now();
    const [{ raw }] = (await mail(await app.user(unlimited))) as [StoredMail];
    const date = field(raw, 'date');
    expect(date).toMatch(/^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/);
    // The date in a header has whole seconds.
    expect(Date.parse(date)).toBeGreaterThanOrEqual(Math.floor(before / 1_000) * 1_000);
    expect(Date.parse(date)).toBeLessThanOrEqual(Date.now());
    expect(field(raw, 'message-id')).toMatch(/^<[0-9a-f-]{36}@staffcast\.test>$/);
  });

  it('is text, then HTML, both with sender, reason, address and unsubscribe link', async () => {
    const [{ raw }] = (await mail(await app.user(unlimited), { name: 'Java people' })) as [StoredMail];
    expect(field(raw, 'content-type')).toMatch(/^multipart\/alternative;/);
    const types = [...raw.matchAll(/^Content-Type: (text\/\w+); charset=([\w-]+)/gim)].map(
      ([, type, charset]) => `${type} ${charset!.toLowerCase()}`,
    );
    expect(types).toEqual(['text/plain utf-8', 'text/html utf-8']);
    const { text, html } = await partsOf(raw);
    for (const part of [text!, html as string]) {
      for (const word of [
        '1 Test Street, Springfield',
        'http://staffcast.test/unsubscribe/',
        'Java people',
        'Ann Kumar',
        'Acme',
      ])
        expect(part).toContain(word);
    }
  });

  it('carries any subject', async () => {
    const subject = '日本語の求人 🎉🚀 '.repeat(15).slice(0, 150).trim();
    const [{ raw }] = (await mail(await app.user(unlimited), { subject })) as [StoredMail];
    const head = headOf(raw);
    expect(head).toMatch(/^[\x00-\x7f]*$/);
    const lines = head
      .split('\r\n')
      .filter((line) => !/^(list-unsubscribe|dkim|\s)/i.test(line) || /=\?utf-8/i.test(line));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(78);
    expect((await partsOf(raw)).subject).toBe(subject);
  });

  it('carries any content in valid lines', async () => {
    const content = `${'x'.repeat(5000)}\n.\n..\nFrom me\n日本語 🎉\tTab\n  indented\ntrailing  \n`;
    const [{ raw }] = (await mail(await app.user(unlimited), { content })) as [StoredMail];
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect((await partsOf(raw)).text).toContain(content);
  });

  it('lets no subject inject a header', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['m12@x.test'] });
    for (const cut of ['\r\n', '\n', '\r', '\u2028', '\0']) {
      await user.agent
        .post('/api/send-email')
        .send(sendBody(list, { subject: `Hi${cut}Bcc: e@x.test` }))
        .expect(400);
    }
    expect(sink.attemptsOf('e@x.test') + sink.attemptsOf('m12@x.test')).toBe(0);
  });

  it('lets no name inject a header or a mailbox', async () => {
    const user = await app.user({ ...unlimited, firstName: 'A" <e@x.test>', lastName: 'K, b@x.test' });
    const [{ raw }] = (await mail(user, { name: 'L" <e@x.test>, "\r\nX-I: 1' })) as [StoredMail];
    const parsed = (await simpleParser(Buffer.from(raw, 'latin1'))) as unknown as {
      from: { value: { address: string }[] };
    };
    expect(parsed.from.value.map(({ address }) => address)).toEqual(['no-reply@staffcast.test']);
    expect(fieldsOf(raw).some(([key]) => key === 'x-i')).toBe(false);
    expect(field(raw, 'list-id')).toMatch(/^"[^"<>]*" <[0-9a-f-]{36}\.lists\.staffcast\.test>$/);
  });

  it('shows markup as text', async () => {
    const [{ raw }] = (await mail(await app.user(unlimited), {
      content: '<script>1</script><img src=x onerror=1>',
    })) as [StoredMail];
    const html = (await partsOf(raw)).html as string;
    expect(html).toContain('&lt;script&gt;1&lt;/script&gt;&lt;img src=x onerror=1&gt;');
    expect(html).not.toMatch(/<(script|img)\b/i);
  });

  it('has all of these properties with a document and merge tags too', async () => {
    const addresses = ['document-a@x.test', 'document-b@x.test'];
    const document = doc(
      paragraph('Hi ', mergeTag('email', null), ', <script>1</script>'),
      ...['.', '..', 'From me', `${'x'.repeat(5_000)} 日本語 🎉`].map((line) => paragraph(line)),
      table(['Name', 'Rate'], ['José', '$65/hr']),
    );
    const subject = 'For {{first_name|日本語の求人 🎉}} and {{email}}';
    const mails = await mail(await app.user(unlimited), { addresses, name: 'Java people', subject, document });
    for (const [i, { raw }] of mails.entries()) {
      expect(
        fieldsOf(raw)
          .map(([key]) => key)
          .sort(),
      ).toEqual(HEADERS);
      expect(field(raw, 'to')).toBe(addresses[i]);
      expect(raw).not.toContain(addresses[1 - i]);
      expect(headOf(raw)).toMatch(/^[\x00-\x7f]*$/);
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
      expect((await verifyDkim(raw, dns)).verdict).toBe('pass');
      const { subject: filled, text, html } = await partsOf(raw);
      expect(filled).toBe(`For 日本語の求人 🎉 and ${addresses[i]}`);
      for (const part of [text!, html as string])
        for (const word of ['1 Test Street, Springfield', '/unsubscribe/', 'Java people', 'Ann Kumar', 'Acme', 'José'])
          expect(part).toContain(word);
      expect(text).toContain(`Hi ${addresses[i]}, <script>1</script>\n\n.\n\n..\n\nFrom me\n\nxxx`);
      expect(html).toContain(`Hi ${addresses[i]}, &lt;script&gt;1&lt;/script&gt;`);
    }
  });
});
