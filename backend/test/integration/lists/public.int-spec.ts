import { describe, expect, it, jest } from '@jest/globals';
import { OutreachWithdrawal } from '../../../src/modules/lists/outreach/outreach-withdrawal.js';
import { startApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import type { SignedUp } from '../../kit/users.js';
import { app, query, address, subscribe, contactsOf, tensOf, ann, admin, network } from './public-support.js';
import { until } from '../../kit/until.js';

const newList = async (name = 'Java vendors', extra: object = {}) =>
  (
    await ann.agent
      .post('/api/email-lists')
      .send({ name, ...extra })
      .expect(201)
  ).body as { id: string; slug: string };

describe('subscribing in public', () => {
  it('accepts 100 an hour from one network address, over all instances, and then answers with Retry-After', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on' } });
    const beside = await startApp({ env: { RATE_LIMITS: 'on' }, beside: limited });
    try {
      const answers = await tensOf(103, (n) => subscribe({ email: address() }, n % 2 ? limited : beside));
      expect(answers.map((answer) => answer.status).sort()).toEqual([...Array<number>(100).fill(200), 429, 429, 429]);
      expect(Number(answers.find(({ status }) => status === 429)!.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await beside.close();
      await limited.close();
    }
  });

  it("leaves a new address Pending whatever the call says, and refuses invalid input with the form's messages", async () => {
    const email = address();
    await subscribe({ email, confirmed: true }).expect(400);
    expect(await contactsOf(email)).toEqual([]);
    await subscribe({ email }).expect(200);
    expect(await contactsOf(email)).toEqual([{ confirmed: false, source: 'public' }]);
    expect((await subscribe({ email: 'nobody' }).expect(400)).body.error).toBe('Please enter a valid email address');
    expect((await subscribe({ email, subscriptionType: 'x' }).expect(400)).body.error).toBe(
      'Please select a subscription type',
    );
    for (const emailListId of ['x', '00000000-0000-4000-8000-000000000000'])
      await subscribe({ email: address(), emailListId }).expect(404);
  });

  it('mails one person at most three times, from any number of lists', async () => {
    const email = address();
    const lists = await Promise.all(Array.from({ length: 12 }, () => newList()));
    for (const { id } of lists) await subscribe({ email, emailListId: id }).expect(200);
    await app.mails.waitFor(email, 3);
    const waits = () =>
      query(
        `select 1 from subscriptions where email_norm = ? and opt_in_state = 'due' and opt_in_due_at > now() + interval '23 hours'`,
        [email],
      );
    await until(async () => (await waits()).length >= 9);
    expect(await waits()).toHaveLength(9);
    expect(app.mails.to(email)).toHaveLength(3);
  });

  it('answers a bot that filled the honeypot field with success, without effect', async () => {
    const { id } = await newList();
    for (const emailListId of [undefined, id]) {
      const email = address();
      const { body } = await subscribe({ email, emailListId, homepage: 'https://spam.example' }).expect(200);
      expect(body).toEqual({ message: "We've sent a confirmation link to verify your subscription." });
      expect(await contactsOf(email)).toEqual([]);
      expect(await query('select 1 from consent_events where address_norm = ?', [email])).toEqual([]);
    }
  });

  it.each([0, 40, 999, 1200, undefined])(
    'mails a person whose browser filled in and sent the form within %s ms',
    async (filledInMs) => {
      const email = address();
      await subscribe({ email, homepage: '', filledInMs }).expect(200);
      expect((await app.mails.waitFor(email))[0]!.subject).toBe('Confirm your subscription');
    },
  );

  it('mails an address of several concurrent requests at once, as for a single request', async () => {
    // Blocks the sweep, which would also find the mail if no job had sent it.
    const sweep = Promise.withResolvers<void>();
    const withdraw = jest.spyOn(app.get(OutreachWithdrawal), 'withdraw').mockReturnValue(sweep.promise);
    try {
      for (let round = 0; round < 6; round += 1) {
        const email = address();
        const answers = await Promise.all(Array.from({ length: 8 }, () => subscribe({ email })));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
        await app.mails.waitFor(email);
      }
    } finally {
      withdraw.mockRestore();
      sweep.resolve();
    }
  });

  it('sends one system mail, not a bulk mail', async () => {
    const email = address();
    await subscribe({ email }).expect(200);
    const [mail] = await app.mails.waitFor(email);
    expect(mail!.raw).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(mail!.raw).toMatch(/^List-Unsubscribe: <http:\/\/staffcast\.test\/never-ask\/[\w-]{43}>\r?$/m);
    expect(mail!.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    expect(mail!.raw).not.toMatch(/^Precedence:/m);
    expect(linkIn(mail!, '/').pathname).toBe('/subscribe/confirmed');
  });

  it('is confirmed by the page, not by fetching the mailed link', async () => {
    const email = address();
    await subscribe({ email }).expect(200);
    const token = linkIn((await app.mails.waitFor(email))[0]!, '/subscribe/confirmed').searchParams.get('token')!;
    const call = `/api/subscribe/confirm/${token}`;
    await app.http().get(`/subscribe/confirmed?token=${token}`).set('Accept', 'text/html');
    await app.http().head(call);
    await app.http().get(call).set('Sec-Purpose', 'prefetch');
    await app.http().get(call).set('Sec-Fetch-Mode', 'navigate');
    await app.http().get(call).set('Accept', 'text/html,*/*;q=0.8');
    expect((await contactsOf(email))[0]!.confirmed).toBe(false);
    const first = await app.http().get(call).expect(200);
    expect(first.body).toEqual({ message: expect.any(String), email, listName: 'Entire network' });
    expect((await app.http().get(call).expect(200)).body).toEqual(first.body);
    expect((await contactsOf(email))[0]!.confirmed).toBe(true);
  });

  it('reports an expired link', async () => {
    const email = address();
    await subscribe({ email }).expect(200);
    const token = linkIn((await app.mails.waitFor(email))[0]!, '/subscribe/confirmed').searchParams.get('token')!;
    await query(
      `update subscriptions set confirmation_token_expires = now() - interval '1 minute' where email_norm = ?`,
      [email],
    );
    expect((await app.http().get(`/api/subscribe/confirm/${token}`).expect(410)).body.code).toBe('token_expired');
  });
});

describe('the public page of a list', () => {
  it('shows public data only; any other slug gets the same 404', async () => {
    const { id, slug } = await newList('Java vendors', { agencyLogo: 'https://logo.example/l.png' });
    const { body } = await app.http().get(`/api/email-lists/slug/${slug}`).expect(200);
    expect(body).toEqual({
      id,
      slug,
      name: 'Java vendors',
      description: null,
      agencyName: 'Northline',
      agencyLogo: 'https://logo.example/l.png',
      ownerName: 'Ann Kumar',
      subscriptionType: 'job-posts',
    });
    expect(slug).toMatch(/^java-vendors-[a-z2-9]{10}$/);
    const bodies = new Set<string>();
    for (const wrong of [
      'java-vendors',
      slug.toUpperCase(),
      `${slug}%20`,
      "x' or '1'='1",
      `${slug}'--`,
      'x'.repeat(400),
    ]) {
      bodies.add(
        JSON.stringify(
          (
            await app
              .http()
              .get(`/api/email-lists/slug/${encodeURIComponent(wrong)}`)
              .expect(404)
          ).body,
        ),
      );
    }
    expect(bodies.size).toBe(1);
    await app.http().get(`/api/email-lists/slug/${slug}%00`).expect(404);
  });

  it('is the only page with pictures from other hosts', async () => {
    const images = async (path: string) =>
      /img-src ([^;]*)/.exec(
        (await app.http().get(path).set('Accept', 'text/html')).headers['content-security-policy'] ?? '',
      )![1];
    expect(await images('/subscribe/list/java-vendors-abcdefghjk')).toContain('https:');
    for (const path of ['/', '/subscribe/confirmed?token=x', '/unsubscribe/x', '/lists', '/subscribe/pending'])
      expect(await images(path)).not.toContain('https:');
  });
});

describe('the default list', () => {
  it("is in everyone's wizard with its count, and on /lists for admins only", async () => {
    const listed = async (user: SignedUp, query = '') =>
      (
        (await user.agent.get(`/api/email-lists${query}`).expect(200)).body as {
          isDefault: boolean;
          name: string;
          contactCount: number;
        }[]
      ).filter((list) => list.isDefault);
    expect(await listed(ann)).toEqual([]);
    expect(await listed(admin)).toHaveLength(1);
    const [shared] = await listed(ann, '?sendable=true');
    const [{ n }] = (await query<{ n: number }>(
      'select count(*)::int as n from subscriptions where email_list_id = ? and suppressed is null',
      [network],
    )) as [{ n: number }];
    expect(shared).toMatchObject({ name: 'Entire network', contactCount: n });
    expect(n).toBeGreaterThan(0);
  });

  it('shows and changes its contacts for admins only, and cannot be deleted', async () => {
    const { body: added } = await admin.agent
      .post(`/api/email-lists/${network}/subscribers`)
      .send({ email: address() })
      .expect(201);
    const path = `/api/email-lists/${network}/subscribers`;
    await admin.agent.get(`${path}?limit=5`).expect(200);
    await admin.agent.patch(`${path}/${added.id}`).send({ name: 'Maya' }).expect(200);
    for (const call of [
      ann.agent.get(`/api/email-lists/${network}`),
      ann.agent.get(path),
      ann.agent.get(`${path}/export`),
      ann.agent.post(path).send({ email: address() }),
      ann.agent.patch(`${path}/${added.id}`).send({ name: 'x' }),
      ann.agent.delete(`${path}/${added.id}`),
      ann.agent.patch(`/api/email-lists/${network}`).send({ name: 'x' }),
      ann.agent.post(`${path}/import`).send({ lines: ['a@b.example'] }),
      ann.agent.delete(`/api/email-lists/${network}`),
    ]) {
      await call.expect(404);
    }
    await admin.agent.delete(`${path}/${added.id}`).expect(204);
    await admin.agent.delete(`/api/email-lists/${network}`).expect(403);
  });
});
