import { describe, expect, it } from '@jest/globals';
import type { SignedUp } from '../../kit/users.js';
import { type StoredMail } from '../../kit/sink/sink-modes.js';
import { seedList, send, sendBody, settled, startSending, untilMailAccountFailed } from '../sending/support.js';
import { field, fieldsOf } from './support.js';
import { verifyDkim } from './verify-dkim.js';
import { keys, sink, app, smtpUrl, unlimited, mail } from './standards-support.js';
import { until } from '../../kit/until.js';

describe('an address', () => {
  const add = (user: SignedUp, list: { id: string }, email: string) =>
    user.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email, subscriptionType: 'job-posts' });

  it('of an international domain goes out as punycode; a non-ASCII local part is refused', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: [] });
    await add(user, list, 'u@bücher.example').expect(201);
    await add(user, list, 'ök@x.test').expect(400);
    const [{ raw }] = (await mail(user, { addresses: ['u@xn--bcher-kva.example'] })) as [StoredMail];
    expect(field(raw, 'to')).toBe('u@xn--bcher-kva.example');
    expect(sink.attempts.every(({ address }) => /^[\x21-\x7e]+$/.test(address))).toBe(true);
  });

  it('with several addresses, a command or excessive length is refused', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: [] });
    for (const email of [
      'a@x.test, b-m16@x.test',
      'a@x.test\r\nRCPT TO:<b-m16@x.test>',
      `${'a'.repeat(300)}@x.test`,
      'Ann <b-m16@x.test>',
    ])
      await add(user, list, email).expect(400);
    expect(sink.attemptsOf('b-m16@x.test')).toBe(0);
  });

  it('on two lists in two spellings gets one mail', async () => {
    const user = await app.user(unlimited);
    const lists = [
      await seedList(app, user, { addresses: ['m17@x.test'] }),
      await seedList(app, user, { addresses: ['m17@X.test'] }),
    ];
    const { body } = await user.agent
      .post('/api/send-email')
      .send(sendBody(lists, { subject: 'Twice' }))
      .expect(202);
    expect(body.recipientCount).toBe('1');
    await settled(user, body.id as string);
    expect(sink.attempts.filter(({ address }) => address.toLowerCase() === 'm17@x.test')).toHaveLength(1);
  });
});

it('is not mailed where the content is not text', async () => {
  const user = await app.user(unlimited);
  const list = await seedList(app, user, { addresses: ['m18@x.test'] });
  for (const content of [{ path: '/etc/passwd' }, { href: 'http://127.0.0.1/' }, ['x'], 1]) {
    await user.agent.post('/api/send-email').send(sendBody(list, { content })).expect(400);
    await user.agent
      .post('/api/send-email')
      .send(sendBody(list, { subject: content }))
      .expect(400);
  }
  expect(sink.attemptsOf('m18@x.test')).toBe(0);
});

it('is not mailed through a server without STARTTLS where TLS is required', async () => {
  const other = await startSending({}, { env: { SMTP_URL: `${smtpUrl}?requireTLS=true` } });
  try {
    const user = await other.user(unlimited);
    const id = await send(user, await seedList(other, user, { addresses: ['m19@x.test'] }));
    await untilMailAccountFailed(other);
    expect(sink.attemptsOf('m19@x.test')).toBe(0);
    expect((await user.agent.get(`/api/email-history/${id}`)).body).toMatchObject({
      status: 'pending',
      counts: { queued: 1, failed: 0 },
    });
  } finally {
    await other.close();
  }
});

describe('a system mail', () => {
  it('is marked as automatic, and offers no unsubscribe link', async () => {
    await app.user({ email: 'system@x.test', verified: false });
    await until(() => sink.storedOf('system@x.test').length > 0);
    const { raw, envelopeFrom } = sink.storedOf('system@x.test')[0]!;
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(field(raw, 'auto-submitted')).toBe('auto-generated');
    expect(field(raw, 'x-auto-response-suppress')).toBe('All');
    expect(field(raw, 'from')).toBe('Staffcast <no-reply@staffcast.test>');
    expect(fieldsOf(raw).filter(([key]) => /^(list-|precedence|x-mailer|feedback-id|cc|bcc)/.test(key))).toEqual([]);
    expect(envelopeFrom).toMatch(/^s-[a-z2-7]{26}-[a-z2-7]{10}@bounces\.staffcast\.test$/);
    expect(
      await verifyDkim(raw, {
        'k1._domainkey.staffcast.test': `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}`,
      }),
    ).toMatchObject({ verdict: 'pass' });
  });
});
