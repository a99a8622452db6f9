import { jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { startBrowser } from './browser';
import { FakeServer, FakeStream, type Failure, type Person } from './server';
import { Tab } from './tab';

/** Simulated time between two renders. */
const RENDER_INTERVAL_MS = 500;
/** Simulated time between two renders during recovery, which may take minutes. */
const RECOVERY_RENDER_INTERVAL_MS = 2_000;
/** TICK_MS is the step of the simulated clock; PROMISE_TURNS are awaited in each step. */
const TICK_MS = 25;
const PROMISE_TURNS = 20;
/** Every screen must be correct after this time without disturbances. */
const CORRECT_AFTER_MS = 10_000;

/** Small random number generator (mulberry32). The same seed repeats a run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A browser with tabs, a server, and a simulated clock. */
export class World {
  readonly server: FakeServer;
  readonly tabs: Tab[] = [];
  /** Additional time in ms for the recovery from the disturbances since the last check. */
  private recoveryMs = 0;
  private readonly stopBrowser = startBrowser();
  private readonly real = { fetch: globalThis.fetch, random: Math.random };

  constructor(seed: number) {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] });
    const random = randomOf(seed);
    Math.random = random;
    this.server = new FakeServer(random);
    FakeStream.server = this.server;
    globalThis.fetch = (request) => this.server.fetch(request as Request);
    Object.assign(globalThis, { EventSource: FakeStream });
  }

  async end(): Promise<void> {
    for (const tab of this.tabs.splice(0)) await tab.close();
    // Some effects of closing a tab happen a moment later.
    await this.tick(1_000);
    jest.clearAllTimers();
    jest.useRealTimers();
    Math.random = this.real.random;
    globalThis.fetch = this.real.fetch;
    Reflect.deleteProperty(globalThis, 'EventSource');
    this.stopBrowser();
    localStorage.clear();
  }

  async openTab(): Promise<void> {
    await act(async () => void this.tabs.push(new Tab()));
  }

  async closeTab(index: number): Promise<void> {
    await this.tabs.splice(index, 1)[0]!.close();
  }

  async signIn(index: number, person: Person): Promise<void> {
    await act(async () => {
      this.server.cookie = person;
      void this.tabs[index]!.askWhoIsSignedIn();
    });
  }

  /**
   * Performs an action of a person or a disturbance.
   * @param mendsInMs time in which the app may recover from it
   */
  async do(deed: () => void, mendsInMs = 0): Promise<void> {
    this.recoveryMs += mendsInMs;
    await act(async () => deed());
    this.checkNobodyElse();
  }

  fail(failure: Failure): Promise<void> {
    // All retries of one failed refresh, after 4, 8, 16 s and so on, must fit into this time.
    return this.do(() => this.server.failNext(failure), failure === 'timeout' ? 70_000 : 20_000);
  }

  /**
   * Lets the machine sleep: timers stop, the clock advances, and the server does not notice that the connections are
   * lost.
   */
  sleep(ms: number): Promise<void> {
    return this.do(() => {
      for (const stream of this.server.streams) stream.isDead = true;
      this.server.streams.clear();
      jest.setSystemTime(Date.now() + ms);
    });
  }

  async pass(ms: number, sliceMs = RENDER_INTERVAL_MS): Promise<void> {
    for (let left = ms; left > 0; left -= sliceMs) {
      await act(() => this.tick(Math.min(left, sliceMs)));
      this.checkNobodyElse();
    }
  }

  /** Advances the time without turns of the real event loop, which would make a long run ten times slower. */
  private async tick(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= TICK_MS) {
      jest.advanceTimersByTime(Math.min(left, TICK_MS));
      for (let i = 0; i < PROMISE_TURNS; i++) await undefined;
    }
  }

  /**
   * Waits for recovery, then compares each screen with the answers of the API.
   * @throws if a screen differs
   */
  async check(): Promise<void> {
    this.server.forgetFailures();
    await this.pass(this.recoveryMs, RECOVERY_RENDER_INTERVAL_MS);
    await this.pass(CORRECT_AFTER_MS);
    this.recoveryMs = 0;
    await this.pressRetry();
    await this.signInWhereAsked();
    for (const [index, tab] of this.tabs.entries()) {
      if (tab.screen === 'public') continue;
      const name = `tab ${index}`;
      if (tab.person !== this.server.cookie)
        throw new Error(`${name} takes ${tab.person} to be signed in, it is ${this.server.cookie}`);
      for (const [path, { data }] of tab.shown) {
        const shown = JSON.stringify((data as { rows?: unknown } | undefined)?.rows ?? data);
        const truth = JSON.stringify(this.server.currentAnswer(path));
        if (shown !== truth) throw new Error(`${name} shows for ${path}\n  ${shown}\nand it is\n  ${truth}`);
      }
    }
  }

  /** Presses Retry on screens whose first query failed. */
  private async pressRetry(): Promise<void> {
    const failed = () =>
      this.tabs.flatMap(({ shown }) =>
        [...shown.values()].filter(({ data, isError }) => data === undefined && isError),
      );
    // The session is retried first, then the data of its person.
    for (let round = 0; failed().length > 0 && round < 3; round++) {
      await act(async () => failed().forEach(({ refetch }) => void refetch()));
      await this.pass(CORRECT_AFTER_MS);
    }
  }

  /**
   * Continues in tabs that still show the sign-in form although somebody has signed in in another tab: a form closes
   * once it asks who is signed in.
   */
  private async signInWhereAsked(): Promise<void> {
    const left = this.tabs.filter(({ person, screen }) => person === null && screen !== 'public');
    if (!this.server.cookie || left.length === 0) return;
    await act(async () => left.forEach((tab) => void tab.askWhoIsSignedIn()));
    await this.pass(CORRECT_AFTER_MS);
  }

  /** Checks that no tab shows data of one person while another person is signed in. This must hold at all times. */
  private checkNobodyElse(): void {
    for (const [index, tab] of this.tabs.entries()) {
      if (!tab.person || tab.person !== this.server.cookie) continue;
      const other = tab.person === 'ana' ? 'ben' : 'ana';
      for (const [path, { data }] of tab.shown)
        if (JSON.stringify(data ?? null).includes(`"${other}`))
          throw new Error(`tab ${index} of ${tab.person} shows for ${path} what is of ${other}`);
    }
  }
}
