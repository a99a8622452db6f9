import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Api } from '../kit/api.ts';
import { type Product, startProduct } from '../kit/product.ts';
import { openSink, type Sink } from '../kit/sink.ts';
import { until } from '../kit/until.ts';

const SENDER = 'dana@agency.example';
const RECIPIENT_COUNT = 1000;
/** All processes are killed once this many messages were answered. */
const MIN_SENT_BEFORE_KILL = 150;
/** Highest number of messages that a kill may duplicate, because they were in flight. */
const MAX_IN_FLIGHT = 20;

interface HistoryEntry {
  status: string;
  recipientCount: string;
  counts: { sent: number; unconfirmed: number; queued: number };
}

let product: Product;
let sink: Sink;

beforeAll(async () => {
  sink = await openSink();
  product = await startProduct({ env: { SMTP_URL: sink.url, RETRY_SCHEDULE: '1,2,2,2' } });
});

afterAll(async () => {
  await product?.stop();
  await sink?.close();
});

async function sql(text: string, values: unknown[] = []): Promise<void> {
  const { databaseUrl } = runFile();
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(text, values).finally(() => client.end());
}

function runFile(): { databaseUrl: string } {
  const run = JSON.parse(readFileSync(join(product.dataDir, 'run.json'), 'utf8')) as Record<string, string>;
  return { databaseUrl: run.databaseUrl ?? run.DATABASE_URL ?? '' };
}

describe('a SIGKILL of all processes in the middle of a send', () => {
  let api: Api;
  let listId: string;
  let sendId: string;

  it('accepts a send to 1,000 confirmed contacts', async () => {
    api = await Api.register(product.url, SENDER);
    await sql('update auth_credentials set is_verified = true, verified_at = now()');
    ({ id: listId } = await api.call<{ id: string }>('POST', '/api/email-lists', { name: 'A thousand' }));
    const lines = Array.from({ length: RECIPIENT_COUNT }, (_, i) => `person${i}@example.com, Person ${i}`);
    const { id } = await api.call<{ id: string }>('POST', `/api/email-lists/${listId}/subscribers/import`, {
      lines,
      attestation: 'Met at a fair; asked for job posts',
    });
    await until(
      'the import',
      async () =>
        (await api.call<{ status: string }>('GET', `/api/email-lists/${listId}/subscribers/import/${id}`)).status ===
        'done',
    );
    await sql(`update subscriptions set confirmed = true, confirmed_at = now(), opt_in_state = 'none'`);
    await until('system mail', () => sink.copies.has(SENDER));
    sink.copies.clear();
    sink.hold(MIN_SENT_BEFORE_KILL);
    const body = {
      emailListIds: [listId],
      emailType: 'job-post',
      subject: 'Java developer, Dallas',
      content: 'A client needs one.',
    };
    const answer = await api.call<{ id: string; recipientCount: string }>('POST', '/api/send-email', body);
    expect(answer.recipientCount).toBe(String(RECIPIENT_COUNT));
    sendId = answer.id;
  });

  it('loses nobody and repeats at most the messages in flight', async () => {
    await until('the send under way', () => sink.total() > MIN_SENT_BEFORE_KILL);
    await product.kill();
    sink.release();
    const before = sink.total();
    expect(before).toBeLessThan(RECIPIENT_COUNT);
    await until('the address is free', () =>
      fetch(product.url).then(
        () => false,
        () => true,
      ),
    );
    product = await startProduct({ env: { SMTP_URL: sink.url, RETRY_SCHEDULE: '1,2,2,2' }, dataDir: product.dataDir });
    api = await Api.signIn(product.url, SENDER);
    await until('the end of the send', async () => (await entry()).status !== 'pending', 300_000);
    expect([...sink.copies.keys()].filter((address) => address.startsWith('person'))).toHaveLength(RECIPIENT_COUNT);
    expect(sink.total() - RECIPIENT_COUNT).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  });

  it('shows the complete result in the history', async () => {
    const { status, recipientCount, counts } = await entry();
    expect({ status, recipientCount, settled: counts.sent + counts.unconfirmed, queued: counts.queued }).toEqual({
      status: 'sent',
      recipientCount: String(RECIPIENT_COUNT),
      settled: RECIPIENT_COUNT,
      queued: 0,
    });
  });

  const entry = () => api.call<HistoryEntry>('GET', `/api/email-history/${sendId}`);
});
