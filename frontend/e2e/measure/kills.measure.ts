import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import type { Api } from '../kit/api.ts';
import { answerWelcome, openBrowser, openPage } from '../kit/browser.ts';
import { type Product, startProduct } from '../kit/product.ts';
import { until } from '../kit/until.ts';

// Kills the tab, the network and the server while a draft is written, and measures the lost text. `KILLS=50 npm test --
// e2e --testMatch '**/kills.measure.ts'`; about 12 minutes.

const SENDER = 'dana.okafor@agency.example';
const KILL_COUNT = Number(process.env.KILLS ?? 6);
/** Time in ms from the last change to its save, including the time that the request takes to reach the server. */
const AUTOSAVE_MS = 2_000;
const KILL_KINDS = (process.env.KINDS ?? 'tab,network,server').split(',');
const NOT_SAVED = 'Not saved. Your text is kept on this device; we keep trying.';
const KEY_INTERVAL_MS = 35;

let product: Product;
let api: Api;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  api = await verified(product, SENDER);
  browser = await openBrowser();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  ({ page } = await openPage(context, [product.url]));
  await signIn(page, product, SENDER);
  await answerWelcome(page);
});

afterAll(async () => {
  await browser?.close();
  await product?.stop();
});

const field = () => page.getByRole('textbox', { name: 'Email content' });

async function begin(n: number): Promise<string> {
  const list = await api.call<{ id: string }>('POST', '/api/email-lists', { name: `List ${n}` });
  const draft = { subject: `Draft ${n}`, emailListIds: [list.id], step: 3 };
  const { id } = await api.call<{ id: string }>('POST', '/api/drafts', draft);
  await openDraft(id);
  await field().click();
  return id;
}

/** A server that has just started may refuse connections. */
const openDraft = (id: string) =>
  until('the page', () =>
    page.goto(`${product.url}/send/${id}?step=3`).then(
      () => true,
      () => false,
    ),
  );

/**
 * Types until it is stopped.
 * @returns the letters, with the times at which they were typed
 */
function typing(): { stop: () => Promise<{ letter: string; at: number }[]> } {
  const typed: { letter: string; at: number }[] = [];
  let goesOn = true;
  const work = (async () => {
    for (let n = 0; goesOn; n++) {
      const letter = String.fromCharCode(97 + (n % 26));
      try {
        await page.keyboard.type(letter);
      } catch {
        return;
      }
      typed.push({ letter, at: Date.now() });
      await pause(KEY_INTERVAL_MS);
    }
  })();
  return {
    stop: async () => {
      goesOn = false;
      await work;
      return typed;
    },
  };
}

const textOf = async (id: string): Promise<string> => {
  const { document } = await api.call<{ document: { content: { content?: { text?: string }[] }[] } | null }>(
    'GET',
    `/api/drafts/${id}`,
  );
  return document?.content.map(({ content = [] }) => content.map(({ text = '' }) => text).join('')).join('') ?? '';
};

/** Kills the server. Its processes end when they notice that the supervisor is gone. */
async function killServer(): Promise<void> {
  await product.kill();
  await until('the address is free', () =>
    fetch(product.url).then(
      () => false,
      () => true,
    ),
  );
}

async function restart(): Promise<void> {
  product = await startProduct({ dataDir: product.dataDir, port: Number(new URL(product.url).port) });
}

async function reopen(id: string): Promise<void> {
  ({ page } = await openPage(context, [product.url]));
  await openDraft(id);
  await field().waitFor();
}

it('killing the browser loses nothing that is older than the autosave interval', async () => {
  const lost: { kind: string; ms: number }[] = [];
  for (let n = 0; n < KILL_COUNT; n++) {
    const kind = KILL_KINDS[n % KILL_KINDS.length]!;
    const id = await begin(n);
    const hand = typing();
    await pause(800 + Math.random() * 4_000);
    const killedAt = Date.now();
    if (kind === 'tab') {
      const session = await context.newCDPSession(page);
      void session.send('Page.crash').catch(() => undefined);
      await page.waitForEvent('crash');
    } else if (kind === 'network') {
      await context.setOffline(true);
      await pause(1_000 + Math.random() * 2_000);
    } else {
      await killServer();
      await pause(Math.random() * 2_000);
    }
    const endedAt = kind === 'tab' ? killedAt : Date.now();
    const typed = await hand.stop();
    const isLeft = kind !== 'server' || n % 2 === 0;
    if (kind === 'server') {
      await page.getByText(NOT_SAVED).waitFor();
      // Every second round also closes the tab and opens it again once the server is back.
      if (isLeft) await page.close();
      await restart();
    }
    const whole = typed.map(({ letter }) => letter).join('');
    if (kind === 'network') {
      // Simulates a laptop that sleeps without network and wakes up with one.
      await page.close();
      await context.setOffline(false);
    }
    if (isLeft) {
      await page.close().catch(() => undefined);
      await reopen(id);
    }
    const shown = (await field().textContent()) ?? '';
    expect(whole.startsWith(shown)).toBe(true);
    const firstLost = typed[shown.length];
    lost.push({ kind, ms: firstLost ? Math.max(0, endedAt - firstLost.at) : 0 });
    await until('the server has what is shown', async () => (await textOf(id).catch(() => null)) === shown, 90_000);
    if (!isLeft) await page.getByText(/^Saved \d/).waitFor();
  }
  const worst = KILL_KINDS.map(
    (kind) => `${kind} ${Math.max(0, ...lost.filter((one) => one.kind === kind).map(({ ms }) => ms))} ms`,
  );
  process.stdout.write(`${KILL_COUNT} kills, lost typing at most: ${worst.join(', ')}\n`);
  for (const { ms } of lost) expect(ms).toBeLessThanOrEqual(AUTOSAVE_MS);
}, 1_500_000);
