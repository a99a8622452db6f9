import { jest } from '@jest/globals';
import { act } from '@testing-library/react';
import { startBrowser } from './browser';
import { FakeServer, FakeStream, type Failure, type Person } from './server';
import { Tab } from './tab';

/** The app draws this often while time passes. */
const SLICE_MS = 500;
/** The same while disturbances mend, which may take minutes. */
const MENDING_SLICE_MS = 2_000;
/** The clock moves by this; promises that follow each other are settled in between, so many of them. */
const TICK_MS = 25;
const PROMISES = 20;
/** After this time without a disturbance every screen is true. */
const QUIET_MS = 10_000;

/** A small random generator (mulberry32), so that a seed repeats a run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A browser with its tabs, a server, and a clock of their own. */
export class World {
  readonly server: FakeServer;
  readonly tabs: Tab[] = [];
  /** How much longer than QUIET_MS the disturbances since the last check may take to mend, in ms. */
  private mending = 0;
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
    // What ends with a tab ends a moment later.
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

  /** What the person or the world does, within the app's own batch of drawing. */
  async do(deed: () => void, mendsInMs = 0): Promise<void> {
    this.mending += mendsInMs;
    await act(async () => deed());
    this.checkNobodyElse();
  }

  fail(failure: Failure): Promise<void> {
    // Failed refreshes of one answer wait 4, 8, 16 s … together.
    return this.do(() => this.server.failNext(failure), failure === 'timeout' ? 70_000 : 20_000);
  }

  /** The machine sleeps: timers stand still, the clock does not, and the server hears no end of the connections. */
  sleep(ms: number): Promise<void> {
    return this.do(() => {
      for (const stream of this.server.streams) stream.isDead = true;
      this.server.streams.clear();
      jest.setSystemTime(Date.now() + ms);
    });
  }

  async pass(ms: number, sliceMs = SLICE_MS): Promise<void> {
    for (let left = ms; left > 0; left -= sliceMs) {
      await act(() => this.tick(Math.min(left, sliceMs)));
      this.checkNobodyElse();
    }
  }

  /** Lets time pass without a turn of the real event loop: ten thousand steps take minutes instead of an hour. */
  private async tick(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= TICK_MS) {
      jest.advanceTimersByTime(Math.min(left, TICK_MS));
      for (let i = 0; i < PROMISES; i++) await undefined;
    }
  }

  /** Lets everything settle, then compares each screen with what the API answers. @throws where one differs */
  async check(): Promise<void> {
    this.server.forgetFailures();
    await this.pass(this.mending, MENDING_SLICE_MS);
    await this.pass(QUIET_MS);
    this.mending = 0;
    await this.pressRetry();
    await this.signInWhereAsked();
    for (const [index, tab] of this.tabs.entries()) {
      if (tab.screen === 'public') continue;
      const name = `tab ${index}`;
      if (tab.person !== this.server.cookie)
        throw new Error(`${name} takes ${tab.person} to be signed in, it is ${this.server.cookie}`);
      for (const [path, { data }] of tab.shown) {
        const shown = JSON.stringify((data as { rows?: unknown } | undefined)?.rows ?? data);
        const truth = JSON.stringify(this.server.truth(path));
        if (shown !== truth) throw new Error(`${name} shows for ${path}\n  ${shown}\nand it is\n  ${truth}`);
      }
    }
  }

  /** Where a first answer did not come, the screen says so and has a button. */
  private async pressRetry(): Promise<void> {
    const failed = () =>
      this.tabs.flatMap(({ shown }) =>
        [...shown.values()].filter(({ data, isError }) => data === undefined && isError),
      );
    // Who is signed in first, then what is shown to that person.
    for (let round = 0; failed().length > 0 && round < 3; round++) {
      await act(async () => failed().forEach(({ refetch }) => void refetch()));
      await this.pass(QUIET_MS);
    }
  }

  /** A tab with the sign-in form stays there when somebody signs in at another one; its form leads on once it asks again. */
  private async signInWhereAsked(): Promise<void> {
    const left = this.tabs.filter(({ person, screen }) => person === null && screen !== 'public');
    if (!this.server.cookie || left.length === 0) return;
    await act(async () => left.forEach((tab) => void tab.askWhoIsSignedIn()));
    await this.pass(QUIET_MS);
  }

  /** At any moment: nothing of a person stands on a screen under the name of another who is signed in. */
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
