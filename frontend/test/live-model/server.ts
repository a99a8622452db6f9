import { someone } from '../fake-api';
import { contact, list } from '../fixtures/live-fixtures';

export type Person = 'ana' | 'ben';
export type Failure = 502 | 503 | 'unreachable' | 'timeout';
export const KINDS = ['me', 'list', 'contacts', 'import'] as const;
export type Kind = (typeof KINDS)[number];

const HEARTBEAT_MS = 15_000;
const CHANGES_KEPT_MS = 5 * 60_000;
const CHANGE_MARGIN_MS = 5_000;

interface ReportedChange {
  at: number;
  person: Person;
  kind: Kind;
  id: string | undefined;
}

/**
 * A server with two accounts, reduced to live data: a few calls, the session, and the stream of changes with its
 * history.
 */
export class FakeServer {
  /** The person whose session the browser's cookie belongs to. */
  cookie: Person | null = null;
  isUp = true;
  private readonly versions = {
    ana: { me: 1, list: 1, contacts: 1, import: 1 },
    ben: { me: 1, list: 1, contacts: 1, import: 1 },
  };
  private readonly failures: Failure[] = [];
  private reportedChanges: ReportedChange[] = [];
  private remembersSince = Date.now();
  readonly streams = new Set<FakeStream>();

  constructor(readonly random: () => number) {
    setInterval(() => {
      for (const stream of this.streams) stream.event('heartbeat', {});
    }, HEARTBEAT_MS);
  }

  /**
   * The current answer to a call.
   * @returns undefined if nobody is signed in
   */
  currentAnswer(path: string, person = this.cookie): unknown {
    if (!person) return undefined;
    const { me, list: lists, contacts, import: imported } = this.versions[person];
    const own = { ...list, ownerName: person, name: `Lists ${lists}`, contactCount: contacts };
    const answers: Record<string, unknown> = {
      '/api/auth/user': someone({ id: person, firstName: `Name ${me}` }),
      '/api/email-lists': [own],
      '/api/email-lists/l1': own,
      '/api/email-lists/l1/subscribers': [contact({ name: `${person} ${contacts}` })],
      '/api/running-tasks': { sends: [], imports: [{ id: 'i1', owner: person, added: imported }], bulk: [] },
    };
    return answers[path];
  }

  fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const failure = pathname === '/api/auth/logout' ? undefined : this.failures.shift();
    if (failure === 'unreachable' || !this.isUp) {
      await this.pause(request);
      throw new TypeError('Failed to fetch');
    }
    if (failure === 'timeout')
      await new Promise((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason as Error)),
      );
    await this.pause(request);
    const [status, body] = typeof failure === 'number' ? [failure, {}] : this.answer(pathname);
    await this.pause(request);
    return fakeResponse(status, body);
  };

  /**
   * Changes data of an account.
   * @param isReported whether the streams report the change; false simulates a change that the server missed, as when
   * its database listener loses the connection
   */
  change(person: Person, kind: Kind, isReported = true): void {
    this.versions[person][kind] += 1;
    if (!isReported) {
      // The listener soon notices that it missed changes, and tells all streams to refresh everything.
      setTimeout(() => this.refreshAll(), 1_000 + this.random() * 2_000);
      return;
    }
    this.report(person, kind, kind === 'list' || kind === 'contacts' ? 'l1' : kind === 'import' ? 'i1' : undefined);
  }

  /** Ends the session of the cookie and, shortly after, its streams. */
  endSession(): void {
    const person = this.cookie;
    this.cookie = null;
    setTimeout(() => {
      for (const stream of [...this.streams]) if (stream.person === person && this.cookie !== person) stream.fail();
    }, 100);
  }

  failNext(failure: Failure): void {
    this.failures.push(failure);
  }

  forgetFailures(): void {
    this.failures.length = 0;
  }

  /** Restarts the server, which ends its streams and forgets the history of changes. */
  restart(): void {
    this.reportedChanges = [];
    this.remembersSince = Date.now();
    for (const stream of [...this.streams]) stream.fail();
  }

  open(stream: FakeStream): void {
    if (!this.cookie || !this.isUp) return stream.fail();
    stream.person = this.cookie;
    this.streams.add(stream);
    stream.dispatchEvent(new Event('open'));
    const age = Number(new URL(stream.url, 'http://own.invalid').searchParams.get('age'));
    const since = Date.now() - age - CHANGE_MARGIN_MS;
    if (age + CHANGE_MARGIN_MS > CHANGES_KEPT_MS || since < this.remembersSince) return stream.event('refresh', {});
    for (const { at, person, kind, id } of this.reportedChanges)
      if (person === stream.person && at >= since) stream.event('change', { kind, ...(id && { ids: [id] }) });
  }

  private answer(path: string): [number, unknown] {
    if (path === '/api/auth/logout') {
      this.endSession();
      return [200, { message: 'Bye' }];
    }
    if (!this.cookie) return [401, { statusCode: 401, code: 'unauthorized', message: 'Please sign in' }];
    return [200, this.currentAnswer(path)];
  }

  private refreshAll(): void {
    this.reportedChanges = [];
    this.remembersSince = Date.now();
    for (const stream of this.streams) stream.event('refresh', {});
  }

  private report(person: Person, kind: Kind, id: string | undefined): void {
    const notifiedIn = this.random() * 50;
    setTimeout(() => {
      this.reportedChanges.push({ at: Date.now(), person, kind, id });
      // Changes within a second are reported together.
      setTimeout(() => {
        for (const stream of this.streams)
          if (stream.person === person) stream.event('change', { kind, ...(id && { ids: [id] }) });
      }, this.random() * 1_000);
    }, notifiedIn);
  }

  /** Delay of the network in one direction. */
  private pause({ signal }: Request): Promise<void> {
    return new Promise((resolve, reject) => {
      setTimeout(resolve, 10 + this.random() * 300);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  }
}

/** Replaces EventSource. */
export class FakeStream extends EventTarget {
  static server: FakeServer;
  person: Person | undefined;
  /** Whether the connection was lost without either side noticing. */
  isDead = false;
  private isClosed = false;

  constructor(readonly url: string) {
    super();
    setTimeout(() => this.isClosed || FakeStream.server.open(this), 20);
  }

  event(name: string, data: unknown): void {
    if (!this.isClosed && !this.isDead) this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  fail(): void {
    FakeStream.server.streams.delete(this);
    if (!this.isClosed && !this.isDead) this.dispatchEvent(new Event('error'));
  }

  close(): void {
    this.isClosed = true;
    FakeStream.server.streams.delete(this);
  }
}

/** The parts of a Response that the client reads. A real Response would take several turns of the event loop. */
function fakeResponse(status: number, body: unknown): Response {
  const text = JSON.stringify(body);
  const response = {
    status,
    ok: status < 300,
    statusText: '',
    headers: new Headers({ 'content-type': 'application/json', 'x-total-count': '1' }),
    text: () => Promise.resolve(text),
    json: () => Promise.resolve(JSON.parse(text) as unknown),
    clone: () => response,
  };
  return response as unknown as Response;
}
