import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KB } from '../../../src/shared/http/body.decorators.js';
import { heldDuring } from '../../kit/held.js';
import { hostileText, HOSTILE_UNITS } from '../../kit/hostile-texts.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import type { TestApp } from '../../kit/app.js';
import { seedList, sendBody, settled, startSending, type SeededList } from '../sending/support.js';
import { sessionOf } from '../attacks/support.js';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  example?: unknown;
  maxLength?: number;
}
interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Case {
  method: string;
  path: string;
  base?: object;
  field?: string;
  unit?: string;
  maxBytes?: number;
  maxLength?: number;
  raw?: string;
  chunked?: boolean;
  signedOut?: boolean;
  name: string;
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
/** Bodies that are larger than the usual ones, as their routes say. */
const MAX_BYTES: Record<string, number> = { sendEmail: 640 * KB, previewSend: 640 * KB, importContacts: 4096 * KB };
const USUAL_BYTES = 32 * KB;
const ANSWER_MS = 1_000;
const HELD_MS = 200;
const PROBE_MS = 500;
/** A held event loop is held again; a busy machine is not busy in the same place three times. */
const TRIES = 3;
const HOSTILE_BODIES = Number(process.env.HOSTILE_BODIES ?? 1_000);

/** Keeps nothing: the mail catcher decodes what it takes in this thread, which would count as the server's work. */
const sink = new SmtpSink({ bodies: false, log: false });
let app: TestApp;
let user: SignedUp;
let list: SeededList;
let contact: string;
let cookie: string;
let sinkUrl = '';

beforeAll(async () => {
  sinkUrl = await sink.listen();
  app = await startSending({}, { env: { SMTP_URL: sinkUrl, ROLE: 'web' } });
  user = await app.user({ admin: true, set: { tier: 'pro' } });
  list = await seedList(app, user, { count: 3 });
  contact = (await user.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email: 'one@contact.test' }).expect(201)).body.id;
  cookie = sessionOf(await app.http().post('/api/auth/login').send({ email: user.email, password: PASSWORD }).expect(200));
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

/** The client in a thread of its own. */
class Client {
  private readonly thread: Worker;
  constructor(url: string) { this.thread = new Worker(join(import.meta.dirname, '../../kit/hostile-client.mjs'), { workerData: { url, cookie } }); }

  ask<T>(task: string, input: unknown): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => this.thread.once('message', resolve).once('error', reject));
    this.thread.postMessage({ task, input });
    return answer;
  }

  /** Ends a probe. */
  stop(): void {
    this.thread.postMessage({});
  }

  async end(): Promise<void> {
    await this.thread.terminate();
  }
}

/** With n times as much work as processors everything takes n times as long. */
const busyness = () => Math.max(1, loadavg()[0]! / availableParallelism());

const resolved = (schema: Schema): Schema => {
  if (schema.$ref) return resolved(document.components.schemas[schema.$ref.split('/').at(-1)!]!);
  return schema.allOf ? resolved(schema.allOf[0]!) : schema;
};

function exampleOf(schema: Schema): unknown {
  const { example, enum: values, type, items, properties } = resolved(schema);
  if (example !== undefined) return example;
  if (values) return values[0];
  if (type === 'array') return [items ? exampleOf(items) : 'x'];
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, exampleOf(property)]));
  return type === 'boolean' ? true : type === 'number' ? 1 : 'x';
}

const withIds = (path: string) => path
  .replace('/email-lists/{id}', `/email-lists/${list.id}`).replace('{contactId}', contact).replace(/\{token\}/g, 'unknown').replace(/\{\w+\}/g, '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d');

const operations = Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })))
  // Without Stripe's keys its webhook answers 503 before it looks at anything.
  .filter(({ method, operationId }) => method !== 'GET' && operationId !== 'receiveStripeEvent');

/** Every string field filled up to what its route takes, and up to what the field itself takes where that is long. */
function textsFor({ method, path, operationId, requestBody }: (typeof operations)[number]): Case[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return [];
  const base = { ...(exampleOf(schema) as object), ...(operationId.match(/send/i) && { emailListIds: [list.id] }) };
  const fields = Object.entries(resolved(schema).properties ?? {}).filter(([, property]) => resolved(property).type === 'string' && !resolved(property).enum);
  const maxBytes = MAX_BYTES[operationId] ?? USUAL_BYTES;
  return fields.flatMap(([field, property]) => Object.entries(HOSTILE_UNITS).flatMap(([unitName, unit]) => {
    const one = { method, path: withIds(path), base, field, unit, maxBytes, name: `${operationId}.${field} of ${unitName}` };
    const { maxLength = 0 } = resolved(property);
    return [one, ...(maxLength >= 1000 ? [{ ...one, maxLength, name: `${one.name}, within its limit` }] : [])];
  }));
}

/** Shapes that libraries walk through, and one body in pieces. */
function shapesFor({ method, path, operationId }: (typeof operations)[number]): Case[] {
  const maxBytes = MAX_BYTES[operationId] ?? USUAL_BYTES;
  const many = (text: (n: number) => string, each: number) => Array.from({ length: Math.floor((maxBytes - 100) / each) }, (_, n) => text(n)).join(',');
  const deep = Math.floor((maxBytes - 100) / 12);
  const shapes: Record<string, string> = {
    'a wide object': `{${many((n) => `"${String(n).padStart(7, 'k')}":1`, 12)}}`,
    'a wide unknown field': `{"x":{${many((n) => `"${String(n).padStart(7, 'k')}":1`, 12)}}}`,
    'wide objects in a list': `{"lines":[${many((n) => `{"a${n % 10}":1}`, 9)}]}`,
    'arrays of arrays': `{"emailListIds":[${many(() => '[[]]', 5)}],"email":[${many(() => '[]', 3).slice(0, 99)}]}`.slice(0, maxBytes),
    'an array of blanks': `{"lines":[${many(() => '""', 3)}]}`,
    'an array of numbers': `[${many(() => '1', 2)}]`,
    'a deep object': `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    'a deep array': `{"email":${'['.repeat(deep)}${']'.repeat(deep)}}`,
    'a long key': `{"${'k'.repeat(maxBytes - 10)}":1}`,
    'nested wide objects': `{"config":{"config":{${many((n) => `"${String(n).padStart(7, 'k')}":{}`, 13)}}}}`,
  };
  return Object.entries(shapes).flatMap(([shape, raw], at) => [
    { method, path: withIds(path), raw, name: `${operationId}: ${shape}` }, ...(at === 0 ? [{ method, path: withIds(path), raw: `${raw}${' '.repeat(64 * KB)}`, chunked: true, name: `${operationId}: in pieces` }] : []),
  ]);
}


import { spawn, type ChildProcess } from 'node:child_process';
const children: ChildProcess[] = [];
const WEB = 34871, WORKER = 34872;
function product(role: string, port: number, env: Record<string, string>) {
  const flags = role === 'web' ? ['--max-old-space-size=384'] : (process.env.WF ?? '--max-semi-space-size=8 --max-old-space-size=256').split(' ');
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, '../../../dist/src/main.js')], { env: { ...process.env, ...app.env, ...env, ROLE: role, NODE_ENV: 'development', PORT: String(port), LOG_LEVEL: 'error', RATE_LIMITS: 'off' }, stdio: ['ignore', 'inherit', 'inherit'] });
  children.push(child);
}
async function up(url: string) { for (const end = Date.now() + 60000; Date.now() < end; await new Promise((r) => setTimeout(r, 200))) { try { if ((await fetch(url)).status === 200) return; } catch {} } throw new Error('not up ' + url); }
describe('two processes', () => {
  it('health', async () => {
    const env = { SMTP_URL: (app.settings as any).smtpUrl ?? '', APP_URL: `http://127.0.0.1:${WEB}`, DATA_DIR: '/tmp/two-data' };
    env.SMTP_URL = sinkUrl;
    product('web', WEB, env); product('worker', 0, { ...env, WORKER_PORT: String(WORKER) });
    await up(`http://127.0.0.1:${WEB}/api/health/ready`); await up(`http://127.0.0.1:${WORKER}/api/health/live`);
    const cases = operations.flatMap((operation) => [...textsFor(operation), ...shapesFor(operation)]).filter(({ path }) => !/subscribers\/import/.test(path)).flatMap((one) => [one, { ...one, signedOut: true }]);
    const [client, p1, p2] = [new Client(`http://127.0.0.1:${WEB}`), new Client(`http://127.0.0.1:${WEB}`), new Client(`http://127.0.0.1:${WORKER}`)];
    const probes = [p1, p2].map((p) => p.ask<{ worst: number; asked: number; wrong: number }>('probe', { path: '/api/health/live', everyMs: 10 }));
    const sends = ['longWords', 'bidi', 'emoji', 'addresses', 'tildes', 'cjk'].map(async (unit) => {
      const r = await fetch(`http://127.0.0.1:${WEB}/api/send-email`, { method: 'POST', headers: { 'content-type': 'application/json', cookie }, body: JSON.stringify(sendBody(list, { subject: unit, content: `${Math.random()} ${hostileText(HOSTILE_UNITS[unit]!, 98_900)}` })) });
      if (r.status !== 202) throw new Error(`${r.status} ${await r.text()}`);
      const { id } = await r.json() as { id: string };
      return settled(user, id, 180_000);
    });
    const started = Date.now();
    const statuses = await client.ask<Record<string, number>>('rush', { cases, count: HOSTILE_BODIES, width: 4 });
    const counts = (await Promise.all(sends)).map((e) => e.counts.sent);
    p1.stop(); p2.stop();
    const [w, k] = await Promise.all(probes);
    process.stderr.write(`TWO ${HOSTILE_BODIES} bodies in ${Date.now() - started} ms ${JSON.stringify(statuses)} web ${JSON.stringify(w)} worker ${JSON.stringify(k)} sent ${counts} load ${loadavg()[0]}\n`);
    await Promise.all([client.end(), p1.end(), p2.end()]);
    for (const c of children) c.kill('SIGTERM');
    expect(1).toBe(1);
  }, 600_000);
});
