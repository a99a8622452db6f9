import { createRequire } from 'node:module';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { slowAnswers } from './slow-answers.ts';

/**
 * Chromium features to disable. If the flag is given twice, only the last --disable-features counts, so Playwright's
 * own list is repeated here. The last two are parts of the address bar that would start a process per window.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];
const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
  // Outside hosts do not resolve, so that no test waits for one.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
];
const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Longer than any wait takes, even on the slowest machine. */
const WAIT_TIMEOUT_MS = 120_000;
const PICTURES_FOLDER = process.env.E2E_PICTURES;
if (PICTURES_FOLDER) mkdirSync(PICTURES_FOLDER, { recursive: true });

/** Starts the Chromium that `npm test` found. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error('CHROMIUM_PATH is not set: run npm test, which looks for one');
  return chromium.launch({ executablePath, args: BROWSER_ARGS });
}

/** Opens a page. Script errors and requests to outside hosts are recorded as faults of the journey. */
export async function openPage(context: BrowserContext, own: string[]): Promise<{ page: Page; faults: string[] }> {
  const faults: string[] = [];
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  await slowAnswers(context);
  const page = await context.newPage();
  watchCalls(page);
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && !own.includes(origin)) faults.push(`outside request: ${request.url()}`);
  });
  return { page, faults };
}

/** Pending API calls by page. */
const calls = new WeakMap<Page, Set<Request>>();

function watchCalls(page: Page): void {
  const waiting = new Set<Request>();
  calls.set(page, waiting);
  page.on('request', (request) => void (['fetch', 'xhr'].includes(request.resourceType()) && waiting.add(request)));
  // `requestfinished` is not used, because it does not occur if the body of a response is not read.
  page.on('response', (response) => void waiting.delete(response.request()));
  page.on('requestfailed', (request) => void waiting.delete(request));
  page.on('domcontentloaded', () => waiting.clear());
}

/**
 * Waits until a screen is stable: no pending calls and no placeholders, including those of content that loads when it
 * is scrolled near.
 */
export async function settled(page: Page): Promise<void> {
  const placeholders = page.locator('.MuiSkeleton-root, [aria-busy=true]');
  const end = Date.now() + WAIT_TIMEOUT_MS;
  for (let quiet = 0; quiet < 3;) {
    const [waiting, unfilled] = [calls.get(page)?.size ?? 0, await placeholders.count()];
    quiet = waiting + unfilled === 0 ? quiet + 1 : 0;
    if (waiting === 0 && unfilled > 0) await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    if (Date.now() > end)
      throw new Error(`${page.url()} does not come to rest: ${waiting} calls, ${unfilled} placeholders`);
    await pause(60);
  }
}

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** The axe rules that depend on the colour scheme. All other rules are checked in one scheme only. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Findings of axe-core about the current screen, one line each. */
async function axeFindings(page: Page, runOnly: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE_SOURCE);
  // Only the lines are returned, because the whole result is megabytes large.
  return page.evaluate(async (chosen) => {
    const { violations } = await window.axe.run(document, { runOnly: [...chosen], resultTypes: ['violations'] });
    return violations.map(
      ({ id, help, nodes: [node] }) =>
        `${location.href} ${id}: ${help} — ${node?.html ?? ''} ${node?.failureSummary ?? ''}`,
    );
  }, runOnly);
}

const RECHECK_MS = 700;
/** Number of repeated checks. Together they take longer than the fading of a toast or dialog on the slowest machine. */
const MAX_RECHECKS = 15;
export const VIEWPORTS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/**
 * Accessibility findings about the current screen, at these widths and in both colour schemes. Saves a screenshot of
 * each to the folder E2E_PICTURES, if that is set.
 */
export async function findings(page: Page, name: string, sizes = VIEWPORTS): Promise<string[]> {
  const found: string[] = [];
  await settled(page);
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const [scheme, rules] of [
      ['dark', AXE_TAGS],
      ['light', COLOUR_RULES],
    ] as const) {
      const at = `${name}-${size.width}-${scheme}`;
      let faults = await checkScreen(page, scheme, rules);
      // The contrast of a fading toast is too low, so only findings that persist count.
      for (let again = 0; faults.length > 0 && again < MAX_RECHECKS; again += 1) {
        await pause(RECHECK_MS);
        faults = await checkScreen(page, scheme, rules);
      }
      found.push(...faults.map((line) => `${at} ${line}`));
      if (!PICTURES_FOLDER) continue;
      await drawFrames(page);
      await page.screenshot({ path: join(PICTURES_FOLDER, `${at}.png`), fullPage: true });
    }
  }
  await page.setViewportSize(VIEWPORTS[0]!);
  return found;
}

/** Brings each frame into view, because Chromium draws none that was never there: it would be white in a picture. */
async function drawFrames(page: Page): Promise<void> {
  const top = await page.evaluate(() => window.scrollY);
  for (const frame of await page.locator('iframe:visible').all()) {
    await frame.scrollIntoViewIfNeeded();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn)))),
    );
  }
  await page.evaluate((y) => window.scrollTo(0, y), top);
}

async function checkScreen(page: Page, scheme: string, rules: readonly string[]): Promise<string[]> {
  await inTheme(page, scheme);
  const found = await axeFindings(page, rules);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return over > 0 ? [...found, `scrolls ${over} px sideways`] : found;
}

/** Switches the colour scheme and finishes all transitions, because the contrast of intermediate colours is wrong. */
export async function inTheme(page: Page, scheme: string): Promise<void> {
  await page.evaluate(async (mode) => {
    document.documentElement.setAttribute('data-theme', mode);
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }, scheme);
}

/** Answers the welcome dialog, which recruiters see once per browser. */
export async function answerWelcome(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Welcome to / });
  await dialog.getByRole('button', { name: 'Save role' }).click();
  await dialog.waitFor({ state: 'detached' });
}
