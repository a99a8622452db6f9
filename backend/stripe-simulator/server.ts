import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Account } from './account.ts';
import { Deliveries, type Endpoint, type Faults } from './deliveries.ts';
import { expanded } from './expand.ts';
import { challengePage, type PageAnswer, portalPage } from './pages.ts';
import { findRoute } from './routes.ts';
import { loadState, saveState, type State } from './state.ts';
import { catchUp } from './subscriptions.ts';
import { API_VERSION, ApiFault, badRequest, decodeForm, type Params, refuseUnknown, textOf } from './wire.ts';

export interface Exchange {
  method: string;
  path: string;
  params: Params;
  status: number;
  body: unknown;
}

export interface SimulatorOptions {
  port?: number;
  /** File that stores the account; absent: the account is in memory only. */
  file?: string;
  /** Base URL of the pages for browsers. */
  pagesBase: string;
  webhook?: Endpoint;
  /** Called with every answered API call; tests check these against the SDK's types. */
  onExchange?: (exchange: Exchange) => void;
}

const BODY_LIMIT = 1_000_000;
const TICK_MS = 1_000;
const KEY_LIFE = 24 * 3600;
const KEPT_EVENTS = 5_000;
const BROWSER = '/stripe-simulator';

interface Answer {
  status: number;
  body: string;
  html?: boolean;
  location?: string;
}

/** Stripe's API on loopback. */
export class Simulator {
  readonly deliveries: Deliveries;
  readonly account: Account;
  private readonly options: SimulatorOptions;
  private readonly server: Server;
  private readonly state: State;
  private ticker: NodeJS.Timeout | undefined;
  private requests = 0;

  private constructor(options: SimulatorOptions) {
    this.options = options;
    this.state = loadState(options.file);
    this.account = new Account(this.state, {
      now: () => Math.floor(Date.now() / 1000),
      onEvent: ({ id }) => this.deliveries?.add(id),
    });
    this.deliveries = new Deliveries(this.account, options.webhook, () => this.save());
    this.server = createServer((req, res) => void this.handle(req, res));
  }

  static async start(options: SimulatorOptions): Promise<Simulator> {
    const made = new Simulator(options);
    await new Promise<void>((ready, fail) =>
      made.server.once('error', fail).listen(options.port ?? 0, '127.0.0.1', ready),
    );
    made.ticker = setInterval(() => made.tick(), TICK_MS).unref();
    made.save();
    return made;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Changes the webhook endpoint. */
  sendTo(endpoint: Endpoint): void {
    this.deliveries.endpoint = endpoint;
  }

  async stop(): Promise<void> {
    clearInterval(this.ticker);
    this.deliveries.stop();
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
    this.save();
  }

  private tick(): void {
    const before = Object.keys(this.state.tables.events).length;
    catchUp(this.account, Math.floor(Date.now() / 1000));
    if (Object.keys(this.state.tables.events).length !== before) this.save();
  }

  private save(): void {
    const now = Date.now() / 1000;
    for (const [key, { at }] of Object.entries(this.state.answered))
      if (at + KEY_LIFE < now) delete this.state.answered[key];
    for (const id of Object.keys(this.state.tables.events).slice(0, -KEPT_EVENTS)) delete this.state.tables.events[id];
    saveState(this.options.file, this.state);
  }

  private async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let answer: Answer;
    const { faults } = this.deliveries;
    try {
      const text = await bodyOf(req);
      const url = new URL(req.url ?? '/', 'http://simulator');
      if (url.pathname.startsWith('/v1/') && faults.fail500) {
        faults.fail500 -= 1;
        throw new ApiFault(500, 'api_error', 'Simulated failure');
      }
      answer = this.answer(req, url, text);
      if (req.method !== 'GET') this.save();
      if (url.pathname.startsWith('/v1/') && req.method !== 'GET' && faults.dieAfterCommit) {
        faults.dieAfterCommit -= 1;
        return void res.destroy();
      }
    } catch (error) {
      const fault = error instanceof ApiFault ? error : new ApiFault(500, 'api_error', 'The simulator failed');
      if (fault.status === 500) console.error(error);
      answer = { status: fault.status, body: JSON.stringify(fault.body) };
    }
    res
      .writeHead(answer.status, {
        'content-type': answer.html ? 'text/html; charset=utf-8' : 'application/json',
        'request-id': `req_${randomBytes(8).toString('hex')}`,
        'stripe-version': API_VERSION,
        'cache-control': 'no-store',
        ...(answer.location ? { location: answer.location } : {}),
      })
      .end(answer.body);
  }

  private answer(req: IncomingMessage, url: URL, text: string): Answer {
    const method = req.method ?? 'GET';
    const params = decodeForm(method === 'POST' ? text : url.search.slice(1));
    if (url.pathname === '/_sim/faults' && method === 'POST' && this.mayControl(req)) return this.setFaults(text);
    if (url.pathname.startsWith(`${BROWSER}/`)) return this.browser(method, url, params);
    const key = keyOf(req);
    if (!/^sk_test_\w+$/.test(key)) throw new ApiFault(401, 'invalid_request_error', 'Invalid API Key provided');
    const version = req.headers['stripe-version'];
    if (version !== undefined && version !== API_VERSION)
      throw badRequest(`Invalid Stripe API version: ${String(version)}`);
    return this.api(method, url.pathname, params, req.headers['idempotency-key'] as string | undefined);
  }

  /** Answers an API call. A repeated idempotency key gets the stored answer; answers with status 400 are not stored. */
  private api(method: string, path: string, params: Params, key: string | undefined): Answer {
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([method, path, params]))
      .digest('hex');
    const stored = key && method === 'POST' ? this.state.answered[key] : undefined;
    if (stored && stored.at + KEY_LIFE > Date.now() / 1000) {
      if (stored.fingerprint === fingerprint) return { status: stored.status, body: stored.body };
      throw new ApiFault(
        400,
        'idempotency_error',
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      );
    }
    const answer = this.run(method, path, params);
    if (key && method === 'POST' && answer.status !== 400)
      this.state.answered[key] = { ...answer, fingerprint, at: Math.floor(Date.now() / 1000) };
    return answer;
  }

  private run(method: string, path: string, params: Params): { status: number; body: string } {
    let status = 200;
    let body: object;
    try {
      const found = findRoute(method, path);
      if (!found) throw new ApiFault(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${path}).`);
      refuseUnknown(params, found.route.params);
      catchUp(this.account, Math.floor(Date.now() / 1000));
      const made = found.route.answer({
        account: this.account,
        params,
        ids: found.ids,
        path,
        pagesBase: this.options.pagesBase,
      });
      body = expanded(this.account, made, params);
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      ({ status, body } = error);
    }
    this.requests += 1;
    this.options.onExchange?.({ method, path, params, status, body });
    return { status, body: JSON.stringify(body) };
  }

  /**
   * Answers calls that browsers may make: the portal, 3-D Secure, and confirming a payment intent with its client
   * secret.
   */
  private browser(method: string, url: URL, params: Params): Answer {
    const path = url.pathname.slice(BROWSER.length);
    const form = method === 'POST' ? params : undefined;
    const [, kind, id = ''] = /^\/(portal|3ds)\/(\w+)$/.exec(path) ?? [];
    if (kind === 'portal') return pageAnswer(portalPage(this.account, id, form));
    if (kind === '3ds')
      return pageAnswer(challengePage(this.account, id, url.searchParams.get('client_secret') ?? undefined, form));
    const [, intentId = ''] = /^\/v1\/payment_intents\/(\w+)(?:\/confirm)?$/.exec(path) ?? [];
    const intent = this.account.find('payment_intents', intentId);
    if (!intent)
      throw new ApiFault(404, 'invalid_request_error', `No such payment_intent: '${intentId}'`, {
        code: 'resource_missing',
        param: 'intent',
      });
    if (!/^pk_test_\w+$/.test(textOf(params, 'key') ?? ''))
      throw new ApiFault(401, 'invalid_request_error', 'Invalid API Key provided');
    if (textOf(params, 'client_secret') !== intent.client_secret)
      throw badRequest('The client_secret provided does not match the PaymentIntent.', { param: 'client_secret' });
    return this.run(method, path, Object.fromEntries(Object.entries(params).filter(([name]) => name !== 'key')));
  }

  /** Whether the request may use the test controls: its API key must be the webhook secret. */
  private mayControl(req: IncomingMessage): boolean {
    const [given, secret] = [keyOf(req), this.deliveries.endpoint?.secret ?? ''].map((text) =>
      createHash('sha256')
        .update(text ?? '')
        .digest(),
    );
    return keyOf(req) !== '' && timingSafeEqual(given!, secret!);
  }

  private setFaults(text: string): Answer {
    this.deliveries.faults = JSON.parse(text || '{}') as Faults;
    return { status: 200, body: JSON.stringify(this.deliveries.faults) };
  }
}

const pageAnswer = ({ status, html, location }: PageAnswer): Answer => ({
  status,
  body: html ?? '',
  html: true,
  ...(location ? { location } : {}),
});

function keyOf(req: IncomingMessage): string {
  const [scheme = '', value = ''] = (req.headers.authorization ?? '').split(' ');
  return /^basic$/i.test(scheme) ? (Buffer.from(value, 'base64').toString().split(':')[0] ?? '') : value;
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new ApiFault(413, 'invalid_request_error', 'Request body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
