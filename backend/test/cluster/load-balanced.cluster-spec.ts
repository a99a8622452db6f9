import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster, FAIL_SECONDS, METRICS_TOKEN, PASSWORD } from './kit/cluster.js';
import { until } from '../kit/until.js';
import { Traffic } from './kit/traffic.js';

const cluster = new Cluster();

beforeAll(() => cluster.start(), 90_000);
afterAll(() => cluster.stop());

const failedSignIn = (email: string, headers: Record<string, string> = {}) =>
  fetch(`${cluster.lb.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ email, password: 'not this one' }),
  });

describe('several instances that start concurrently', () => {
  it('migrate once', async () => {
    const { rows } = await cluster.db.query<{ name: string; times: string }>(
      'select name, count(*) as times from mikro_orm_migrations group by name',
    );
    expect(rows.length).toBeGreaterThan(3);
    expect(rows.every(({ times }) => times === '1')).toBe(true);
  });

  it('report health and metrics individually, workers too', async () => {
    for (const instance of cluster.all) {
      expect(await instance.says('live')).toBe(true);
      const closed = await fetch(`${instance.url}/api/metrics`);
      expect(closed.status).toBe(401);
      const metrics = await fetch(`${instance.url}/api/metrics`, {
        headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
      });
      expect(await metrics.text()).toMatch(/staffcast_queue_jobs\{queue="deliveries",state="waiting"\} \d+/);
    }
  });

  it('run every scheduled job once: each new contact gets one confirmation mail', async () => {
    const { agent } = await cluster.user();
    const list = (await agent.post('/api/email-lists').send({ name: 'Fresh' }).expect(201)).body.id as string;
    const addresses = Array.from({ length: 40 }, (_, n) => `fresh${n}@people.test`);
    await agent.post(`/api/email-lists/${list}/subscribers/import`).send({ lines: addresses }).expect(202);
    await Promise.all(addresses.map((address) => cluster.mails.waitFor(address)));
    // eslint-disable-next-line staffcast/no-bare-wait -- another run of every schedule, which asks nobody
    await pause(1500);
    expect(addresses.map((address) => cluster.mails.to(address).length)).toEqual(addresses.map(() => 1));
  });
});

describe('through the load balancer', () => {
  it('limits are counted over both instances, whatever addresses a client claims', async () => {
    const { email, id } = await cluster.user({ 'X-Forwarded-For': '203.0.113.9, 198.51.100.4' });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1)
      statuses.push((await failedSignIn(email, { 'X-Forwarded-For': `198.51.100.${n}` })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual([429, 429]);
    const { rows } = await cluster.db.query<{ ip: string }>(
      'select ip_address as ip from auth_sessions where user_id = $1',
      [id],
    );
    expect(rows.map(({ ip }) => ip)).toEqual(['127.0.0.1']);
    const used = new Set(
      cluster.lb
        .log()
        .filter((line) => line.status === 401)
        .map((line) => line.upstream),
    );
    expect(used.size).toBe(2);
  });

  it('events of a send arrive as they happen', async () => {
    const { id, agent, cookie } = await cluster.user();
    const list = await cluster.list(id, 20, 'slow.test');
    const refusedOnce = new Set<string>();
    cluster.mails.answer = (address) => {
      if (!address.endsWith('@slow.test') || refusedOnce.has(address)) return undefined;
      refusedOnce.add(address);
      return { code: 450, message: '4.7.1 later' };
    };
    const send = await agent
      .post('/api/send-email')
      .send({ emailListIds: [list], subject: 'Java', content: 'Hello', emailType: 'job-post' })
      .expect(202);
    const answer = await fetch(`${cluster.lb.url}/api/email-history/${send.body.id}/progress`, {
      headers: { Cookie: cookie, Accept: 'text/event-stream' },
    });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const seen: string[] = [];
    for await (const chunk of answer.body!) seen.push(Buffer.from(chunk).toString());
    expect(seen[0]).toContain('"status":"pending"');
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toContain('"status":"sent"');
  });

  it("a large import is accepted, a large body elsewhere is refused with the API's error body", async () => {
    const { agent } = await cluster.user();
    const list = (await agent.post('/api/email-lists').send({ name: 'Large' }).expect(201)).body.id as string;
    const filler = 'x'.repeat(1200);
    const file = ['email,notes', ...Array.from({ length: 4500 }, (_, n) => `large${n}@people.test,${filler}`)].join(
      '\n',
    );
    expect(file.length).toBeGreaterThan(5_000_000);
    const job = await agent
      .post(`/api/email-lists/${list}/subscribers/import`)
      .set('Content-Type', 'text/csv')
      .send(file)
      .expect(202);
    let last: { status: string; added: number } | undefined;
    await until('the import ends', async () => {
      last = (await agent.get(`/api/email-lists/${list}/subscribers/import/${job.body.id}`)).body;
      return last!.status === 'done' || last!.status === 'failed';
    });
    expect(last).toMatchObject({ status: 'done', added: 4500 });
    const refused = await fetch(`${cluster.lb.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'x'.repeat(5_000_000) }),
    });
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({ statusCode: 413, code: 'payload_too_large' });
  });

  it("a request has the same id in the load balancer's log, the instance's log and the answer; the log names the user and no secret", async () => {
    const { id, email, agent } = await cluster.user();
    const answer = await agent.get('/api/auth/user').expect(200);
    const requestId = answer.headers['x-request-id'] as string;
    const logs = () => cluster.webs.map((web) => web.output).join('\n');
    await until('the line is written', () => logs().includes(requestId));
    const line = logs()
      .split('\n')
      .filter((text) => text.includes(requestId))
      .map((text) => JSON.parse(text) as { userId?: string; role: string })
      .find(({ userId }) => userId);
    expect(line).toMatchObject({ userId: id, role: 'web' });
    await until('nginx has written it', () => cluster.lb.log().some((entry) => entry.requestId === requestId));
    expect(logs()).not.toContain(PASSWORD);
    expect(logs()).not.toContain(email);
  });

  it('serves pages and hashed files with their headers, and nothing else', async () => {
    const page = await fetch(`${cluster.lb.url}/login`);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? [];
    const asset = await fetch(cluster.lb.url + script);
    expect(asset.status).toBe(200);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(asset.headers.get('content-type')).toMatch(/javascript/);
    const asked = async (encoding: string, url = cluster.lb.url) => {
      const answer = await fetch(url + script, { headers: { 'accept-encoding': encoding } });
      return {
        encoding: answer.headers.get('content-encoding'),
        type: answer.headers.get('content-type')?.split(';')[0],
        vary: answer.headers.get('vary')?.includes('Accept-Encoding'),
        text: await answer.text(),
      };
    };
    const { text } = await asked('identity');
    for (const url of [cluster.lb.url, cluster.webs[0]!.url]) {
      for (const encoding of ['br', 'gzip']) {
        expect(await asked(encoding === 'br' ? 'gzip, deflate, br' : encoding, url)).toEqual({
          encoding,
          type: expect.stringMatching(/javascript/),
          vary: true,
          text,
        });
      }
    }
    for (const path of [`${script}.map`, `${script}.br`, '/.git/config', '/.env', '/assets/../package.json'])
      expect((await fetch(cluster.lb.url + path)).status).toBe(404);
  });
});

describe('when an instance stops', () => {
  it('sessions work on the other instance', async () => {
    const { id, agent } = await cluster.user();
    const [a] = cluster.webs;
    await a!.stop('SIGKILL');
    for (let n = 0; n < 6; n += 1) expect((await agent.get('/api/auth/user').expect(200)).body.id).toBe(id);
    await agent.post('/api/email-lists').send({ name: 'After the crash' }).expect(201);
    await a!.start().ready();
    // eslint-disable-next-line staffcast/no-bare-wait -- the balancer keeps a failed instance out for so long
    await pause(3200);
  });

  it("the previous version keeps running, and restarts, on the next version's schema", async () => {
    await cluster.db.query(`
      create table next_version (id uuid primary key default gen_random_uuid());
      alter table email_lists add column next_version text;
      alter table users add column next_version integer not null default 0;
      insert into mikro_orm_migrations (name, executed_at) values ('Migration20991231000000_next_version', now())`);
    const { agent } = await cluster.user();
    await agent.post('/api/email-lists').send({ name: 'Meanwhile' }).expect(201);
    const worker = cluster.workers[1]!;
    expect(await worker.stop()).toBe(0);
    await worker.start().ready();
  });

  it('a rolling restart under load fails no request and mails nobody twice', async () => {
    const user = await cluster.user();
    const list = await cluster.list(user.id, 400, 'rolling.test');
    const calls = [
      { method: 'GET', path: '/api/email-lists?limit=20' },
      { method: 'GET', path: '/login' },
      { method: 'GET', path: '/api/auth/user' },
      { method: 'POST', path: '/api/email-lists', body: { name: 'Under load' } },
      { method: 'GET', path: '/api/email-history?limit=10' },
    ];
    const traffic = new Traffic(
      cluster.lb.url,
      { Cookie: user.cookie, Origin: cluster.lb.url },
      25,
      (n) => calls[n % calls.length]!,
    );
    const send = await user.agent
      .post('/api/send-email')
      .send({ emailListIds: [list], subject: 'Rolling', content: 'Hello', emailType: 'job-post' })
      .expect(202);
    for (const instance of [cluster.workers[0]!, ...cluster.webs]) {
      expect(await instance.stop()).toBe(0);
      await instance.start().ready();
      // eslint-disable-next-line staffcast/no-bare-wait -- the balancer keeps a failed instance out for so long
      await pause((FAIL_SECONDS + 2) * 1000);
    }
    await traffic.stop();
    expect(traffic.failures).toEqual([]);
    expect(traffic.answered).toBeGreaterThan(200);
    await until(
      'the send has ended',
      async () => (await user.agent.get(`/api/email-history/${send.body.id}`)).body.status === 'sent',
    );
    const copies = new Map<string, number>();
    for (const to of cluster.mails.all
      .flatMap((mail) => mail.to)
      .filter((address) => address.endsWith('@rolling.test')))
      copies.set(to, (copies.get(to) ?? 0) + 1);
    expect(copies.size).toBe(400);
    expect([...copies.values()].every((count) => count === 1)).toBe(true);
  });

  it("without any instance, the load balancer answers with the API's error body", async () => {
    await Promise.all(cluster.webs.map((web) => web.stop('SIGKILL')));
    const away = await fetch(`${cluster.lb.url}/api/auth/user`);
    expect(away.status).toBe(503);
    expect(away.headers.get('retry-after')).toBe('5');
    expect(await away.json()).toMatchObject({ statusCode: 503, code: 'unavailable' });
  });
});
