import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { signIn } from '../kit/accounts.ts';
import { Api } from '../kit/api.ts';
import { answerWelcome } from '../kit/browser.ts';
import type { Product } from '../kit/product.ts';
import { sql } from '../kit/seed.ts';
import { openSink, type Sink } from '../kit/sink.ts';
import { openOwnStage, type Stage } from '../kit/stage.ts';
import { until } from '../kit/until.ts';

const OWNER = 'olga.petrov@agency.example';
const LIST = 'Java vendors';
const SUBJECT = 'Java developer in Dallas';
const [NEW, STAYS, BOUNCES, LEAVES] = ['new', 'stays', 'bounces', 'leaves'].map((name) => `${name}@vendor.example`) as [
  string,
  string,
  string,
  string,
];

let stage: Stage;
let product: Product;
let sink: Sink;
let api: Api;
let listId: string;

beforeAll(async () => {
  sink = await openSink();
  sink.refuse = (address) => (address === BOUNCES ? '550 5.1.1 No such user here' : undefined);
  stage = await openOwnStage({ env: { SMTP_URL: sink.url } });
  ({ product } = stage);
  api = await Api.register(product.url, OWNER);
  await sql(product, `update auth_credentials set is_verified = true, verified_at = now()`);
  await sql(product, `update users set custom_daily_limit = '100'`);
  ({ id: listId } = await api.call<{ id: string }>('POST', '/api/email-lists', { name: LIST }));
  await sql(
    product,
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
     select e, e, sha256(e::bytea), 'job-posts', true, now(), rtrim(translate(encode(sha256(e::bytea), 'base64'), '+/', '-_'), '='), $1, 'none'
     from unnest($2::text[]) e`,
    [listId, [STAYS, BOUNCES, LEAVES]],
  );
  await api.call('POST', `/api/email-lists/${listId}/subscribers`, { email: NEW });
});

afterAll(async () => {
  await stage?.close();
  await sink?.close();
});

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const row = (page: Page, address: string) => page.getByRole('row').filter({ hasText: address });
const shown = (one: Locator) => one.first().waitFor();

/** Records the calls that all tabs of a browser make: calls for data, and streams of changes. */
function watchCalls(context: BrowserContext) {
  const calls = { data: [] as string[], streams: 0 };
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/api/events') calls.streams += 1;
    else if (pathname.startsWith('/api/')) calls.data.push(pathname);
  });
  return calls;
}

describe('an app that stays open for an hour', () => {
  const tabs = {} as Record<'dashboard' | 'lists' | 'list' | 'history' | 'entry', Page>;
  let calls: ReturnType<typeof watchCalls>;
  let context: BrowserContext;

  beforeAll(async () => {
    const { page } = await stage.device();
    context = page.context();
    await context.addInitScript(beatByHand);
    await context.clock.install();
    calls = watchCalls(context);
    await signIn(page, product, OWNER);
    await answerWelcome(page);
    tabs.dashboard = page;
    for (const [name, path, title] of [
      ['lists', '/lists', 'Email Lists'],
      ['list', `/lists/${listId}`, LIST],
      ['history', '/history', 'Send History'],
    ] as const) {
      tabs[name] = await context.newPage();
      await tabs[name].goto(product.url + path);
      await heading(tabs[name], title);
    }
  });

  /** Waits until no call was made for longer than the second for which the server collects changes. */
  async function quiet(): Promise<void> {
    // eslint-disable-next-line staffcast/no-bare-wait -- the server collects changes for a second
    for (let before = -1; before !== calls.data.length; await pause(1200)) before = calls.data.length;
  }

  /**
   * Advances the clock of all pages by half an hour, with the heartbeats that the server would send.
   * @returns the calls during that time, and the number of changes that the streams reported
   */
  async function halfAnHour(): Promise<{ asked: string[]; told: number }> {
    await quiet();
    const before = calls.data.length;
    const pages = context.pages();
    const toldOf = async () => {
      const each = await Promise.all(pages.map((page) => page.evaluate(() => window.changesTold())));
      return each.reduce((sum, one) => sum + one, 0);
    };
    const toldBefore = await toldOf();
    await Promise.all(pages.map((page) => page.evaluate(() => window.forgetBeats())));
    for (let step = 1; step <= 121; step += 1) {
      // Advances by the server's interval between heartbeats. The first heartbeat needs no wait.
      if (step > 1) await context.clock.fastForward(15_000);
      const heard = await Promise.all(pages.map((page) => page.evaluate(() => window.beat())));
      expect(heard.filter((isLeading) => isLeading)).toHaveLength(1);
      await Promise.all(pages.map((page) => page.evaluate((count) => window.heardBeats(count), step)));
    }
    return { asked: calls.data.slice(before), told: (await toldOf()) - toldBefore };
  }

  /**
   * Expects no calls in half an hour without activity. Changes from before may be reported late and cause calls, so the
   * half hour is repeated after any report.
   */
  async function expectSilence(): Promise<void> {
    let half = await halfAnHour();
    for (let more = 0; half.told > 0 && more < 5; more += 1) half = await halfAnHour();
    expect(half).toEqual({ asked: [], told: 0 });
  }

  it('makes no request while nothing happens', async () => {
    await sink.linkTo(NEW, '/subscribe/confirmed');
    await expectSilence();
  });

  it('shows that a contact confirmed', async () => {
    const link = await sink.linkTo(NEW, '/subscribe/confirmed');
    await shown(row(tabs.list, NEW).getByText('Pending'));
    await fetch(`${product.url}/api/subscribe/confirm/${new URL(link).searchParams.get('token')}`);
    await Promise.all([
      shown(row(tabs.list, NEW).getByText('Confirmed')),
      shown(part(tabs.dashboard, 'Recent activity').getByRole('listitem').filter({ hasText: `Contact confirmed` })),
    ]);
  });

  it('shows a send that starts, and its end with the contact that bounced', async () => {
    sink.hold();
    const { id } = await api.call<{ id: string }>('POST', '/api/send-email', {
      emailListIds: [listId],
      subject: SUBJECT,
      content: 'Hello',
      emailType: 'job-post',
    });
    await Promise.all([
      shown(tabs.history.getByRole('article').filter({ hasText: SUBJECT }).getByText('Pending')),
      shown(part(tabs.dashboard, 'Recent activity').getByText(SUBJECT)),
    ]);
    tabs.entry = await context.newPage();
    await tabs.entry.goto(`${product.url}/history/${id}`);
    await heading(tabs.entry, SUBJECT);
    await shown(tabs.entry.getByRole('main').getByText('Sending'));
    sink.release();
    await until('the end of the send', async () => {
      const { status } = await api.call<{ status: string }>('GET', `/api/email-history/${id}`);
      return status === 'sent';
    });
    await Promise.all([
      shown(tabs.history.getByText('3 delivered, 1 failed')),
      shown(tabs.entry.getByLabel('Outcome').getByText('Failed')),
      shown(row(tabs.list, BOUNCES).getByText('Bounced')),
    ]);
  });

  it('shows an import that ends, and a contact that unsubscribes', async () => {
    const lines = ['ada@vendor.example, Ada', 'bea@vendor.example, Bea'];
    await api.call('POST', `/api/email-lists/${listId}/subscribers/import`, { lines });
    await Promise.all([
      ...Object.values(tabs).map((page) => shown(page.locator('#toasts').getByText('Contacts Added!'))),
      shown(tabs.lists.getByText('6 contacts')),
      shown(row(tabs.list, 'ada@vendor.example')),
    ]);
    const link = await sink.linkTo(LEAVES, '/unsubscribe/');
    await fetch(`${product.url}/api${new URL(link).pathname}`, { method: 'POST' });
    await Promise.all([
      row(tabs.list, LEAVES).waitFor({ state: 'detached' }),
      shown(tabs.lists.getByText('5 contacts')),
      shown(tabs.entry.getByLabel('Outcome').getByText('Unsubscribed')),
      shown(part(tabs.dashboard, 'Recent activity').getByText('Contact unsubscribed')),
    ]);
  });

  it('makes no request again, and has one stream for all its tabs', async () => {
    await expectSilence();
    expect(calls.streams).toBe(1);
  });
});

describe('twenty tabs of one browser', () => {
  it('load, and show a change, with one stream', async () => {
    const { page } = await stage.device();
    const context = page.context();
    await context.addInitScript(countOpenStreams);
    const calls = watchCalls(context);
    await signIn(page, product, OWNER);
    await answerWelcome(page);
    await heading(page, 'Dashboard');
    const pages = [page, ...(await Promise.all(Array.from({ length: 19 }, () => context.newPage())))];
    for (let from = 0; from < pages.length; from += 5) {
      await Promise.all(
        pages.slice(from, from + 5).map(async (one) => {
          await one.goto(`${product.url}/lists`);
          await heading(one, 'Email Lists');
          await one.getByText(LIST).first().waitFor();
        }),
      );
    }
    // A tab's stream ends when the tab is navigated, and on a busy machine when its heartbeat is late. Another tab then
    // opens a stream. Two streams are never open at once.
    const openStreams = async () =>
      (await Promise.all(pages.map((one) => one.evaluate(() => window.openStreams())))).reduce((sum, one) => sum + one);
    await until('one stream for all tabs', async () => (await openStreams()) === 1);
    await api.call('POST', '/api/email-lists', { name: 'Vendors in Texas' });
    await Promise.all(pages.map((one) => shown(one.getByText('Vendors in Texas'))));
    await until('one stream for all tabs', async () => (await openStreams()) === 1);
    expect(calls.streams).toBeLessThan(pages.length / 2);
    await context.close();
  });
});

declare global {
  interface Window {
    /**
     * Sends a heartbeat on this tab's stream.
     * @returns whether the tab has a stream
     */
    beat: () => boolean;
    /** Waits until this tab has received this many heartbeats. */
    heardBeats: (count: number) => Promise<void>;
    forgetBeats: () => void;
    /** Number of changes that this tab's streams have reported. */
    changesTold: () => number;
    /** Number of this tab's streams that are neither closed nor ended. */
    openStreams: () => number;
  }
}

/**
 * Runs in each page before its scripts. The test advances the clock by hand, so it also sends the heartbeats by hand.
 */
function beatByHand(): void {
  const open: EventSource[] = [];
  let beats = 0;
  let changes = 0;
  const told = new EventTarget();
  const note = () => {
    beats += 1;
    told.dispatchEvent(new Event('beat'));
  };
  window.EventSource = class extends EventSource {
    constructor(url: string | URL) {
      super(url);
      open.push(this);
      for (const kind of ['change', 'refresh']) this.addEventListener(kind, () => (changes += 1));
    }
  };
  new BroadcastChannel('live-changes').addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
    if (data.type === 'alive') note();
  });
  window.beat = () => {
    const streams = open.filter(({ readyState }) => readyState === EventSource.OPEN);
    for (const stream of streams) stream.dispatchEvent(new MessageEvent('heartbeat', { data: '{}' }));
    if (streams.length > 0) note();
    return streams.length > 0;
  };
  window.heardBeats = (count) =>
    new Promise((heard) => {
      const look = () => beats >= count && heard();
      told.addEventListener('beat', look);
      look();
    });
  window.forgetBeats = () => void (beats = 0);
  window.changesTold = () => changes;
}

/** Runs in each page before its scripts, to count the streams. */
function countOpenStreams(): void {
  const made: EventSource[] = [];
  window.EventSource = class extends EventSource {
    constructor(url: string | URL) {
      super(url);
      made.push(this);
    }
  };
  window.openStreams = () => made.filter(({ readyState }) => readyState !== EventSource.CLOSED).length;
}
