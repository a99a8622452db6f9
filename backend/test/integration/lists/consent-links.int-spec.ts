import { describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { mintToken } from '../../../src/shared/tokens/tokens.js';
import { startApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { app, query, address, subscribe, contactsOf, tensOf } from './public-support.js';

describe('consent links', () => {
  it('tokens of one kind are not accepted as another, with the answer of an unknown token', async () => {
    const email = address();
    await subscribe({ email }).expect(200);
    const confirm = linkIn((await app.mails.waitFor(email))[0]!, '/subscribe/confirmed').searchParams.get('token')!;
    const [{ t: leave }] = (await query<{ t: string }>(
      'select unsubscribe_token as t from subscriptions where email_norm = ?',
      [email],
    )) as [{ t: string }];
    const bodyOf = async (path: string) => JSON.stringify((await app.http().get(path).expect(404)).body);
    expect(await bodyOf(`/api/unsubscribe/${confirm}`)).toBe(await bodyOf(`/api/unsubscribe/${mintToken()}`));
    expect(await bodyOf(`/api/subscribe/confirm/${leave}`)).toBe(await bodyOf(`/api/subscribe/confirm/${mintToken()}`));
    expect((await contactsOf(email))[0]!.confirmed).toBe(false);
  });

  it('pages of consent links reveal no address and are not cached', async () => {
    for (const path of [
      `/subscribe/confirmed?token=${mintToken()}`,
      `/unsubscribe/${mintToken()}`,
      `/unsubscribe/${mintToken()}.${'a'.repeat(22)}`,
    ]) {
      const { headers } = await app.http().get(path).set('Accept', 'text/html').expect(200);
      expect(headers).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      });
      expect(headers['content-security-policy']).toContain("script-src 'self';");
    }
  });

  it('guessing tokens is limited to 100 wrong ones an hour; a right one still works', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on' } });
    try {
      const statuses = new Map<number, number>();
      for (const { status } of await tensOf(104, (n) =>
        limited.http().get(`${n % 2 ? '/api/unsubscribe/' : '/api/subscribe/confirm/'}${mintToken()}`),
      )) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      expect(Object.fromEntries(statuses)).toEqual({ 404: 100, 429: 4 });
      const email = address();
      await subscribe({ email }, limited).expect(200);
      const [{ t }] = (await rows<{ t: string }>(
        limited.em(),
        'select unsubscribe_token as t from subscriptions where email_norm = ?',
        [email],
      )) as [{ t: string }];
      await limited.http().post(`/unsubscribe/${t}`).expect(200);
    } finally {
      await limited.close();
    }
  });

  it('a form of another site can unsubscribe, and nothing else', async () => {
    const email = address();
    await subscribe({ email }).expect(200);
    const [{ t }] = (await query<{ t: string }>(
      'select unsubscribe_token as t from subscriptions where email_norm = ?',
      [email],
    )) as [{ t: string }];
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    for (const path of ['undo', 'all', 'leave'])
      await app.http().post(`/api/unsubscribe/${t}/${path}`).set(foreign).send({ sender: 'network' }).expect(403);
    await app
      .http()
      .post('/api/subscribe')
      .set(foreign)
      .send({ email: address(), subscriptionType: 'job-posts' })
      .expect(403);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
      'application/json',
    ]) {
      await app
        .http()
        .post(`/unsubscribe/${t}`)
        .set({ ...foreign, 'Content-Type': type })
        .send('List-Unsubscribe=One-Click')
        .expect(200);
    }
  });
});
