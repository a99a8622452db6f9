import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import pg from 'pg';
import { createDatabase } from '../kit/database.js';
import { MailCatcher } from '../kit/mail-catcher.js';
import { freePort } from '../kit/free-port.js';
import { Instance } from './kit/processes.js';
import { until } from '../kit/until.js';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
}

const ADDRESS = 'secret.person@people.test';
const spans: Span[] = [];
/** A minimal collector: OTLP over HTTP in JSON. */
const collector = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    res.setHeader('content-type', 'application/json').end('{}');
  });
});
const home = mkdtempSync(join(tmpdir(), 'staffcast-traces-'));
const mails = new MailCatcher();
let database: Awaited<ReturnType<typeof createDatabase>>;
let db: pg.Client;
let product: Instance;

beforeAll(async () => {
  database = await createDatabase();
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  await new Promise<void>((ready) => collector.listen(0, '127.0.0.1', ready));
  const [port, smtp] = [await freePort(), await mails.listen()];
  product = await new Instance('all', port, {
    NODE_ENV: 'test',
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: database.url,
    REDIS_URL: process.env.TEST_REDIS_URL ?? '',
    REDIS_PREFIX: `traces-${randomBytes(5).toString('hex')}`,
    SMTP_URL: smtp,
    MAIL_FROM: 'no-reply@staffcast.test',
    POSTAL_ADDRESS: '1 Test Street, Springfield',
    JWT_SECRET: randomBytes(32).toString('hex'),
    DATA_DIR: home,
    LOG_LEVEL: 'warn',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as { port: number }).port}`,
    OTEL_SERVICE_NAME: 'staffcast-test',
  })
    .start()
    .ready();
});
afterAll(async () => {
  await product?.stop('SIGKILL');
  await mails.close();
  await db?.end();
  collector.close();
  collector.closeAllConnections();
  await database?.drop();
  rmSync(home, { recursive: true, force: true });
});

describe('traces, where an endpoint is configured', () => {
  it('contain a request, its statements and the resulting delivery', async () => {
    const agent = request.agent(product.url);
    const email = `u${randomBytes(5).toString('hex')}@sender.test`;
    const { body } = await agent
      .post('/api/auth/register')
      .send({ email, password: 'correct horse battery', firstName: 'Ann', lastName: 'Kumar', role: 'recruiter' })
      .expect(201);
    await db.query('update auth_credentials set is_verified = true, verified_at = now() where user_id = $1', [
      body.user.id,
    ]);
    const list = (await agent.post('/api/email-lists').send({ name: 'Traced' }).expect(201)).body.id as string;
    await agent.post(`/api/email-lists/${list}/subscribers`).send({ email: ADDRESS }).expect(201);
    await db.query('update subscriptions set confirmed = true, confirmed_at = now() where email_list_id = $1', [list]);
    const { body: sent } = await agent
      .post('/api/send-email')
      .send({ emailListIds: [list], subject: 'Traced', content: 'Hello', emailType: 'job-post' })
      .expect(202);
    await mails.waitFor(ADDRESS);

    const childrenOf = (parent: Span): Span[] =>
      spans.filter((one) => one.traceId === parent.traceId && one.parentSpanId === parent.spanId);
    const below = (parent: Span): Span[] => childrenOf(parent).flatMap((one) => [one, ...below(one)]);
    const of = (span: Span, key: string): string | undefined =>
      span.attributes.find((one) => one.key === key)?.value.stringValue;
    const posted = (): Span | undefined =>
      spans.find(
        (one) =>
          one.name.startsWith('POST') &&
          one.attributes.some(({ value }) => value.stringValue?.includes('/api/send-email')),
      );
    const delivered = (): Span | undefined =>
      spans.find(
        (one) =>
          one.name === 'job deliveries' &&
          of(one, 'sendId') === sent.id &&
          below(one).some(({ name }) => name === 'smtp send'),
      );
    await until('the collector has the request and the delivery', () => Boolean(posted() && delivered()));

    expect(below(posted()!).filter(({ name }) => name.startsWith('pg.query')).length).toBeGreaterThan(3);
    expect(below(delivered()!).some(({ name }) => name.startsWith('pg.query'))).toBe(true);
    const everything = JSON.stringify(spans);
    for (const secret of [ADDRESS, email, 'correct horse battery']) expect(everything).not.toContain(secret);
  });
});
