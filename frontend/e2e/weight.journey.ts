import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { signIn, verified } from './kit/accounts.ts';
import { answerWelcome } from './kit/browser.ts';
import { openStage, type Stage } from './kit/stage.ts';
import { until } from './kit/until.ts';

/** Highest size of the scripts of a first visit in bytes, gzipped. */
const MAX_LANDING_BYTES = 150_000;
const MAX_MAILED_LINK_BYTES = 180_000;
const MAX_SIGN_IN_BYTES = 200_000;
const MAX_ACCOUNT_FORM_BYTES = 280_000;
const MAX_DASHBOARD_BYTES = 290_000;
/** Highest number of scripts in the first visit to the dashboard. Browsers fetch six at a time. */
const MAX_DASHBOARD_SCRIPTS = 20;
/** Time in ms after which the code of screens that are likely to be opened next may be fetched. */
const FIRST_SCREEN_MS = 6_000;

let stage: Stage;
let slug: string;

beforeAll(async () => {
  stage = await openStage();
  const api = await verified(stage.product, 'ann.kumar@weight.example');
  ({ slug } = await api.call<{ slug: string }>('POST', '/api/email-lists', { name: 'Java vendors' }));
});

afterAll(() => stage?.close());

/** The resources that a first visit to a path fetches. */
async function visit(path: string, signedIn?: Awaited<ReturnType<BrowserContext['storageState']>>) {
  const context = await stage.browser.newContext({ storageState: signedIn });
  // Fakes the idle callback. On a busy machine the visit would otherwise last until the screens that are likely to be
  // opened next are fetched, which are not part of it.
  await context.addInitScript(() => {
    window.requestIdleCallback = () => {
      Object.assign(window, { idleFrom: performance.now() });
      return 0;
    };
  });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await page.goto(stage.product.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  const idleFrom = await page.evaluate(() => (window as { idleFrom?: number }).idleFrom ?? Number.POSITIVE_INFINITY);
  expect(idleFrom).toBeGreaterThan(FIRST_SCREEN_MS);
  await context.close();
  const scripts = [...new Set(asked.filter((url) => url.endsWith('.js')))];
  const bodies = await Promise.all(scripts.map(async (url) => (await fetch(url)).bytes()));
  return {
    asked: asked.map((url) => new URL(url).pathname),
    files: scripts.length,
    gzipped: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0),
  };
}

const weighed: string[] = [];

describe('the scripts of a first visit', () => {
  it.each([
    ['/', MAX_LANDING_BYTES],
    ['/unsubscribe/tok.network', MAX_MAILED_LINK_BYTES],
    ['/never-ask/tok', MAX_MAILED_LINK_BYTES],
    ['/no-invites?token=tok', MAX_MAILED_LINK_BYTES],
    ['/not-me?token=tok', MAX_MAILED_LINK_BYTES],
    ['/verify-email?token=tok', MAX_MAILED_LINK_BYTES],
    ['/files/tok', MAX_MAILED_LINK_BYTES],
    ['/subscribe/list/:slug', MAX_MAILED_LINK_BYTES],
    ['/subscribe/pending', MAX_MAILED_LINK_BYTES],
    ['/subscribe/confirmed?token=tok', MAX_MAILED_LINK_BYTES],
    ['/login', MAX_SIGN_IN_BYTES],
    ['/check-email', MAX_SIGN_IN_BYTES],
    ['/register', MAX_ACCOUNT_FORM_BYTES],
    ['/forgot-password', MAX_ACCOUNT_FORM_BYTES],
    ['/reset-password?token=tok', MAX_ACCOUNT_FORM_BYTES],
  ])('%s stays under %i bytes', async (path, limit) => {
    const { gzipped, files } = await visit(path.replace(':slug', slug));
    weighed.push(
      `${path.padEnd(34)}${(gzipped / 1000).toFixed(1).padStart(7)} kB of ${limit / 1000} kB in ${files} files`,
    );
    expect(files).toBeGreaterThan(2);
    expect(gzipped).toBeLessThan(limit);
  });

  it('of the dashboard stay under their limit, without the code of forms', async () => {
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    await signIn(page, stage.product, 'ann.kumar@weight.example');
    await answerWelcome(page);
    const state = await context.storageState();
    await context.close();
    const { gzipped, files } = await visit('/dashboard', state);
    weighed.push(`/dashboard: ${(gzipped / 1000).toFixed(2)} kB of ${MAX_DASHBOARD_BYTES / 1000} kB in ${files} files`);
    expect(gzipped).toBeLessThan(MAX_DASHBOARD_BYTES);
    expect(files).toBeLessThan(MAX_DASHBOARD_SCRIPTS);
  });

  it('of a screen load after the session request; those of every page, and the font, load with the page', async () => {
    const { asked } = await visit('/lists');
    const question = asked.indexOf('/api/auth/user');
    const application = asked.findIndex((path) => /\/assets\/(routed-app|store-provider|main)-/.test(path));
    const font = asked.findIndex((path) => /inter-latin-wght.*\.woff2$/.test(path));
    expect(question).toBeGreaterThan(0);
    expect(application).toBeGreaterThan(question);
    expect(font).toBeGreaterThan(0);
    expect(font).toBeLessThan(question);
    const react = asked.findIndex((path) => path.includes('/vendor-react-'));
    expect(react).toBeGreaterThan(0);
    expect(react).toBeLessThan(question);
    expect(asked.filter((path) => path === '/api/auth/user')).toHaveLength(1);
  });

  it('exclude the application where nobody is signed in, and pages opened from a mail make no session request', async () => {
    const { asked } = await visit('/unsubscribe/tok');
    expect(asked.filter((path) => path === '/api/auth/user' || /routed-app|store-provider/.test(path))).toEqual([]);
    const { asked: landing } = await visit('/');
    expect(landing.filter((path) => /routed-app|store-provider|\/main-/.test(path))).toEqual([]);
  });
});

describe('before any script has run', () => {
  /**
   * Opens a page whose scripts are held back until `release`, and records script errors: React reports an error if the
   * prerendered HTML differs from its own.
   */
  async function held(path: string, prepare?: (page: Page) => Promise<unknown>) {
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    await prepare?.(page);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/*.js', (route) => released.then(() => route.continue()).catch(() => undefined));
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    await page.goto(stage.product.url + path, { waitUntil: 'commit' });
    return { context, page, errors, release, asked };
  }

  it.each(['dark', 'light'])('the landing page stands (%s); what is typed into it stays', async (scheme) => {
    const { context, page, errors, release } = await held('/', (one) =>
      one.addInitScript((theme) => localStorage.setItem('theme', theme), scheme),
    );
    await page.getByRole('heading', { level: 1, name: 'One post, every right inbox.' }).waitFor();
    const email = page.getByRole('textbox', { name: 'Email' });
    await email.fill('typed@early.example');
    expect(await page.getByRole('button', { name: 'Subscribe' }).isDisabled()).toBe(true);
    release();
    const other = scheme === 'dark' ? 'light' : 'dark';
    await page.getByRole('button', { name: `Switch to ${other} theme` }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: `Switch to ${other} theme` }).click();
    await page.locator(`html[data-theme=${other}]`).waitFor();
    expect(await email.inputValue()).toBe('typed@early.example');
    expect(errors).toEqual([]);
    await context.close();
  });

  it('the landing page is shown to a visitor who has only the cookie of an ended session', async () => {
    const context = await stage.browser.newContext();
    await context.addCookies([{ name: 'staffcast_refresh', value: 'ended.session', url: stage.product.url }]);
    const page = await context.newPage();
    await page.goto(stage.product.url);
    await page.getByRole('heading', { level: 1, name: 'One post, every right inbox.' }).waitFor();
    await page.getByRole('textbox', { name: 'Email' }).click();
    expect(await page.locator('#prerendered').count()).toBe(0);
    await context.close();
  });

  it('the sign-in page is shown, and takes no input that would be lost', async () => {
    const { context, page, errors, release, asked } = await held('/login');
    await page.locator('#prerendered').getByText('Forgot password?').waitFor();
    expect(await page.locator('#prerendered input:enabled').count()).toBe(0);
    release();
    await page.locator('#prerendered').waitFor({ state: 'detached' });
    await page.getByLabel('Email', { exact: true }).fill('ann.kumar@weight.example');
    await page.waitForLoadState('networkidle');
    expect(asked.filter((path) => path === '/api/auth/user')).toHaveLength(1);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('the texts of the sign-in page have the same lines, and almost the same width, as with Inter', async () => {
    const measured: DOMRect[] = [];
    for (const isBlocked of [true, false]) {
      const { context, page } = await held('/login', async (one) => {
        if (isBlocked) await one.route('**/*.woff2', (route) => route.abort());
      });
      const footer = page.locator('#prerendered footer');
      await footer.waitFor();
      await page.evaluate(() => document.fonts.ready);
      measured.push(
        await footer.evaluate((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return range.getBoundingClientRect().toJSON() as DOMRect;
        }),
      );
      await context.close();
    }
    const [before, after] = measured as [DOMRect, DOMRect];
    expect(before.height).toBe(after.height);
    expect(before.width).toBeGreaterThanOrEqual(after.width);
    expect(before.width).toBeLessThan(after.width * 1.03);
  });

  it('the frame of the application is shown to a signed-in user, and every script is being loaded', async () => {
    const { context, page, errors, release, asked } = await held('/lists', async (one) => {
      await signIn(one, stage.product, 'ann.kumar@weight.example');
      await answerWelcome(one);
    });
    await page.locator('#prerendered').getByText('Email Distribution').waitFor();
    await page.locator('#prerendered').getByText('Who you write to.').waitFor();
    // Scripts are held back, so it is the page itself that requests the script, not another script.
    await until('the script of the screen', () => asked.some((path) => path.includes('/lists-screen-')));
    release();
    await page.getByRole('heading', { level: 1, name: 'Email Lists' }).waitFor();
    expect(await page.locator('#prerendered').count()).toBe(0);
    expect(asked.indexOf('/api/auth/user')).toBeLessThan(asked.findIndex((path) => path.includes('/lists-screen-')));
    expect(asked.filter((path) => path === '/api/auth/user')).toHaveLength(1);
    expect(errors).toEqual([]);
    await context.close();
  });
});

afterAll(() => console.log(`Gzipped script of a first visit:\n${weighed.join('\n')}`));
