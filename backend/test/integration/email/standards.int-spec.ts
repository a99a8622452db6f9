import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BatchDelivery } from '../../../src/modules/sending/jobs/batch-delivery.service.js';
import { MessageComposer } from '../../../src/modules/sending/message-composer.js';
import { PreparedSends } from '../../../src/modules/sending/prepared-message.js';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { SmtpSink, type StoredMail } from '../../kit/sink/smtp-sink.js';
import { seedList, send, sendBody, settled, startSending } from '../sending/support.js';
import { verifyDkim } from './verify-dkim.js';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'der' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } });
const sink = new SmtpSink();
let app: TestApp;
let smtpUrl: string;
beforeAll(async () => {
  smtpUrl = await sink.listen();
  app = await startSending({}, {
    env: {
      SMTP_URL: smtpUrl, BOUNCE_DOMAIN: 'bounces.staffcast.test',
      DKIM_DOMAIN: 'staffcast.test', DKIM_SELECTOR: 'k1', DKIM_PRIVATE_KEY: keys.privateKey,
    },
  });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

const unlimited = { set: { tier: 'pro', agency_name: 'Acme' } };
const headOf = (raw: string): string => raw.slice(0, raw.indexOf('\r\n\r\n'));
const fieldsOf = (raw: string): [string, string][] =>
  headOf(raw).split(/\r\n(?![ \t])/).map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).replace(/\r\n(?=[ \t])/g, '').trim()]);
const field = (raw: string, name: string): string => {
  const found = fieldsOf(raw).filter(([key]) => key === name);
  expect(found).toHaveLength(1);
  return found[0]![1];
};
const partsOf = (raw: string) => simpleParser(Buffer.from(raw, 'latin1'), { skipTextToHtml: true, skipHtmlToText: true });

let count = 0;
/** Sends to addresses of its own and gives the stored mails. */
async function mail(user: SignedUp, { addresses = [`someone${++count}@x.test`], name, ...body }: { addresses?: string[]; name?: string; subject?: string; content?: string } = {}): Promise<StoredMail[]> {
  const id = await send(user, await seedList(app, user, { addresses, ...(name ? { name } : {}) }), { subject: `Message ${++count}`, ...body });
  await settled(user, id);
  return addresses.map((address) => sink.storedOf(address).at(-1)!);
}

describe('a message of a send', () => {
  it('goes to one recipient each, named alone (M1)', async () => {
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

  it('has every header exactly once, and none that tells of us (M2)', async () => {
    const [{ raw }] = await mail(await app.user(unlimited)) as [StoredMail];
    const names = fieldsOf(raw).map(([key]) => key);
    expect([...names].sort()).toEqual([
      'content-type', 'date', 'dkim-signature', 'feedback-id', 'from', 'list-id', 'list-unsubscribe', 'list-unsubscribe-post', 'message-id', 'mime-version', 'precedence', 'reply-to', 'subject', 'to',
    ]);
    expect(field(raw, 'precedence')).toBe('bulk');
    expect(field(raw, 'feedback-id')).toMatch(/^c[0-9a-f]{12}:l[0-9a-f]{12}:u[0-9a-f]{12}:staffcast$/);
    expect(new Set(field(raw, 'feedback-id').split(':').map((part) => part.replace(/^[clu]/, ''))).size).toBe(4);
  });

  it('offers one-click unsubscribing as RFC 8058 wants it (M3)', async () => {
    const [{ raw }] = await mail(await app.user(unlimited)) as [StoredMail];
    const line = headOf(raw).split('\r\n').find((one) => /^list-unsubscribe:/i.test(one))!;
    const [, url] = /^List-Unsubscribe: <(http:\/\/staffcast\.test\/unsubscribe\/[\w-]{43}\?m=[0-9a-z]+)>$/.exec(line) ?? [];
    expect(url).toBeDefined();
    expect(new URL(url!).pathname).not.toMatch(/^\/api/);
    expect(headOf(raw).split('\r\n')).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  it('is signed over all of them, by a key of the From domain (M4)', async () => {
    const [{ raw }] = await mail(await app.user(unlimited), { content: 'Signed  \n\ttext\n\n.\n\n\n' }) as [StoredMail];
    const result = await verifyDkim(raw, { 'k1._domainkey.staffcast.test': `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}` });
    expect(result).toMatchObject({ verdict: 'pass', domain: 'staffcast.test', bits: 2048 });
    const tags = Object.fromEntries(field(raw, 'dkim-signature').replace(/\r\n[ \t]+/g, ' ').split(';').map((tag) => tag.trim().split(/=(.*)/s).slice(0, 2) as [string, string]));
    const signed = tags.h!.toLowerCase().split(':').map((name) => name.trim());
    for (const name of ['from', 'reply-to', 'subject', 'date', 'message-id', 'to', 'mime-version', 'content-type', 'list-id', 'list-unsubscribe', 'list-unsubscribe-post', 'feedback-id']) expect(signed).toContain(name);
    expect(tags).toMatchObject({ a: 'rsa-sha256', c: 'relaxed/relaxed', d: 'staffcast.test' });
    expect(tags).not.toHaveProperty('l');
    const touched = await verifyDkim(raw.replace('One-Click', 'Two-Click'), { 'k1._domainkey.staffcast.test': `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}` });
    expect(touched.verdict).toBe('fail');
  });

  it('can get no second From, Reply-To, Subject, Date or To under its signature', async () => {
    const [{ raw }] = await mail(await app.user(unlimited)) as [StoredMail];
    const dns = { 'k1._domainkey.staffcast.test': `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}` };
    const [, names] = /[ \t;]h=([^;]+);/.exec(field(raw, 'dkim-signature').replace(/\r\n[ \t]+/g, ''))!;
    const count = (name: string) => names!.split(':').filter((one) => one.trim() === name).length;
    expect(['from', 'reply-to', 'subject', 'date', 'to', 'message-id'].map(count)).toEqual([2, 2, 2, 2, 2, 1]);
    expect((await verifyDkim(raw, dns)).verdict).toBe('pass');
    for (const added of ['From: Bank <a@bank.test>', 'Reply-To: evil@x.test', 'Subject: Pay now', 'Date: Mon, 1 Jan 2029 00:00:00 +0000', 'To: others@x.test']) {
      expect([added, (await verifyDkim(`${added}\r\n${raw}`, dns)).verdict]).toEqual([added, 'fail']);
      expect([added, (await verifyDkim(raw.replace(/\r\n\r\n/, `\r\n${added}\r\n\r\n`), dns)).verdict]).toEqual([added, 'fail']);
    }
    expect((await verifyDkim(`X-Relay: one\r\n${raw}`, dns)).verdict).toBe('pass');
  });

  it('comes from us for the user, and answers go to the user (M5)', async () => {
    const user = await app.user({ ...unlimited, email: 'recruiter@gmail.com' });
    const [{ raw }] = await mail(user) as [StoredMail];
    expect(field(raw, 'from')).toBe('Ann Kumar via Staffcast <no-reply@staffcast.test>');
    expect(field(raw, 'reply-to')).toBe('Ann Kumar <recruiter@gmail.com>');
  });

  it('has an envelope sender of its own (M6)', async () => {
    const mails = await mail(await app.user(unlimited), { addresses: ['m6-a@x.test', 'm6-b@x.test', 'm6-c@x.test'] });
    const senders = mails.map((one) => one.envelopeFrom);
    expect(new Set(senders).size).toBe(3);
    for (const sender of senders) {
      expect(sender).toMatch(/^[a-z2-7-]{1,64}@bounces\.staffcast\.test$/);
    }
  });

  it('is the same at every try, also of a worker that makes it anew (M7)', async () => {
    const [refused, cut] = ['d451x2-m7@x.test', 'cutdot2-m7@x.test'];
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: [refused, cut] }));
    for (let copies = 1; copies <= 2; copies++) {
      for (const end = Date.now() + 20_000; sink.storedOf(cut).length < copies && Date.now() < end; ) await pause(20);
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

  it('is dated now, and named after our domain (M8)', async () => {
    const [{ raw }] = await mail(await app.user(unlimited)) as [StoredMail];
    const date = field(raw, 'date');
    expect(date).toMatch(/^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/);
    expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(300_000);
    expect(field(raw, 'message-id')).toMatch(/^<[0-9a-f-]{36}@staffcast\.test>$/);
  });

  it('is text, then HTML, both with who, why, where and how to leave (M9)', async () => {
    const [{ raw }] = await mail(await app.user(unlimited), { name: 'Java people' }) as [StoredMail];
    expect(field(raw, 'content-type')).toMatch(/^multipart\/alternative;/);
    const types = [...raw.matchAll(/^Content-Type: (text\/\w+); charset=([\w-]+)/gim)].map(([, type, charset]) => `${type} ${charset!.toLowerCase()}`);
    expect(types).toEqual(['text/plain utf-8', 'text/html utf-8']);
    const { text, html } = await partsOf(raw);
    for (const part of [text!, html as string]) {
      for (const word of ['1 Test Street, Springfield', 'http://staffcast.test/unsubscribe/', 'Java people', 'Ann Kumar', 'Acme']) expect(part).toContain(word);
    }
  });

  it('carries any subject (M10)', async () => {
    const subject = '日本語の求人 🎉🚀 '.repeat(15).slice(0, 150).trim();
    const [{ raw }] = await mail(await app.user(unlimited), { subject }) as [StoredMail];
    const head = headOf(raw);
    expect(head).toMatch(/^[\x00-\x7f]*$/);
    const lines = head.split('\r\n').filter((line) => !/^(list-unsubscribe|dkim|\s)/i.test(line) || /=\?utf-8/i.test(line));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(78);
    expect((await partsOf(raw)).subject).toBe(subject);
  });

  it('carries any content in legal lines (M11)', async () => {
    const content = `${'x'.repeat(5000)}\n.\n..\nFrom me\n日本語 🎉\tTab\n  indented\ntrailing  \n`;
    const [{ raw }] = await mail(await app.user(unlimited), { content }) as [StoredMail];
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect((await partsOf(raw)).text).toContain(content);
  });

  it('lets no subject make a header (M12)', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['m12@x.test'] });
    for (const cut of ['\r\n', '\n', '\r', '\u2028', '\0']) {
      await user.agent.post('/api/send-email').send(sendBody(list, { subject: `Hi${cut}Bcc: e@x.test` })).expect(400);
    }
    expect(sink.attemptsOf('e@x.test') + sink.attemptsOf('m12@x.test')).toBe(0);
  });

  it('lets no name make a header or a mailbox (M13)', async () => {
    const user = await app.user({ ...unlimited, firstName: 'A" <e@x.test>', lastName: 'K, b@x.test' });
    const [{ raw }] = await mail(user, { name: 'L" <e@x.test>, "\r\nX-I: 1' }) as [StoredMail];
    const parsed = (await simpleParser(Buffer.from(raw, 'latin1'))) as unknown as { from: { value: { address: string }[] } };
    expect(parsed.from.value.map(({ address }) => address)).toEqual(['no-reply@staffcast.test']);
    expect(fieldsOf(raw).some(([key]) => key === 'x-i')).toBe(false);
    expect(field(raw, 'list-id')).toMatch(/^"[^"<>]*" <[0-9a-f-]{36}\.lists\.staffcast\.test>$/);
  });

  it('shows markup as text (M14)', async () => {
    const [{ raw }] = await mail(await app.user(unlimited), { content: '<script>1</script><img src=x onerror=1>' }) as [StoredMail];
    const html = (await partsOf(raw)).html as string;
    expect(html).toContain('&lt;script&gt;1&lt;/script&gt;&lt;img src=x onerror=1&gt;');
    expect(html).not.toMatch(/<(script|img)\b/i);
  });
});

describe('an address', () => {
  const add = (user: SignedUp, list: { id: string }, email: string) => user.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email, subscriptionType: 'job-posts' });

  it('of an international domain goes out as punycode; a non-ASCII local part is refused (M15)', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: [] });
    await add(user, list, 'u@bücher.example').expect(201);
    await add(user, list, 'ök@x.test').expect(400);
    const [{ raw }] = await mail(user, { addresses: ['u@xn--bcher-kva.example'] }) as [StoredMail];
    expect(field(raw, 'to')).toBe('u@xn--bcher-kva.example');
    expect(sink.attempts.every(({ address }) => /^[\x21-\x7e]+$/.test(address))).toBe(true);
  });

  it('that is several, or a command, or too long is refused (M16)', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: [] });
    for (const email of ['a@x.test, b-m16@x.test', 'a@x.test\r\nRCPT TO:<b-m16@x.test>', `${'a'.repeat(300)}@x.test`, 'Ann <b-m16@x.test>']) await add(user, list, email).expect(400);
    expect(sink.attemptsOf('b-m16@x.test')).toBe(0);
  });

  it('on two lists in two spellings gets one mail (M17)', async () => {
    const user = await app.user(unlimited);
    const lists = [await seedList(app, user, { addresses: ['m17@x.test'] }), await seedList(app, user, { addresses: ['m17@X.test'] })];
    const { body } = await user.agent.post('/api/send-email').send(sendBody(lists, { subject: 'Twice' })).expect(202);
    expect(body.recipientCount).toBe('1');
    await settled(user, body.id as string);
    expect(sink.attempts.filter(({ address }) => address.toLowerCase() === 'm17@x.test')).toHaveLength(1);
  });
});

it('content that is no text is refused (M18)', async () => {
  const user = await app.user(unlimited);
  const list = await seedList(app, user, { addresses: ['m18@x.test'] });
  for (const content of [{ path: '/etc/passwd' }, { href: 'http://127.0.0.1/' }, ['x'], 1]) {
    await user.agent.post('/api/send-email').send(sendBody(list, { content })).expect(400);
    await user.agent.post('/api/send-email').send(sendBody(list, { subject: content })).expect(400);
  }
  expect(sink.attemptsOf('m18@x.test')).toBe(0);
});

it('a server without STARTTLS gets nothing where TLS is required (M19)', async () => {
  const other = await startSending({}, { env: { SMTP_URL: `${smtpUrl}?requireTLS=true` } });
  try {
    const user = await other.user(unlimited);
    const id = await send(user, await seedList(other, user, { addresses: ['m19@x.test'] }));
    await pause(1_500);
    expect(sink.attemptsOf('m19@x.test')).toBe(0);
    expect((await user.agent.get(`/api/email-history/${id}`)).body).toMatchObject({ status: 'pending', counts: { queued: 1, failed: 0 } });
  } finally {
    await other.close();
  }
});

describe('a system mail', () => {
  it('says that a machine wrote it, and offers no unsubscribing', async () => {
    await app.user({ email: 'system@x.test', verified: false });
    for (let i = 0; i < 600 && sink.storedOf('system@x.test').length === 0; i++) await pause(50);
    const { raw, envelopeFrom } = sink.storedOf('system@x.test')[0]!;
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(field(raw, 'auto-submitted')).toBe('auto-generated');
    expect(field(raw, 'x-auto-response-suppress')).toBe('All');
    expect(field(raw, 'from')).toBe('Staffcast <no-reply@staffcast.test>');
    expect(fieldsOf(raw).filter(([key]) => /^(list-|precedence|x-mailer|feedback-id|cc|bcc)/.test(key))).toEqual([]);
    expect(envelopeFrom).toMatch(/^s-[a-z2-7]{26}-[a-z2-7]{10}@bounces\.staffcast\.test$/);
    expect(await verifyDkim(raw, { 'k1._domainkey.staffcast.test': `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}` })).toMatchObject({ verdict: 'pass' });
  });
});
