import { createRequire } from 'node:module';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { slowAnswers } from './slow-answers.ts';

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  // No outside host is found, with or without a network: nothing ever waits for one.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SETTLING_MS = 15_000;
const PICTURES = process.env.E2E_PICTURES;
if (PICTURES) mkdirSync(PICTURES, { recursive: true });

/** Chromium as found by `npm test`. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  if (!executablePath) throw new Error('CHROMIUM_PATH is not set: run npm test, which looks for one');
  return chromium.launch({ executablePath, args: ARGS });
}

/** Generous: what is waited for comes in a second, but not on every machine. */
const PATIENCE_MS = 45_000;

/** A page that fails the journey on a script error or a request to an outside host. */
export async function openPage(context: BrowserContext, own: string[]): Promise<{ page: Page; faults: string[] }> {
  const faults: string[] = [];
  context.setDefaultTimeout(PATIENCE_MS);
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

/** Calls of the API that a page waits for. */
const calls = new WeakMap<Page, Set<Request>>();

function watchCalls(page: Page): void {
  const waiting = new Set<Request>();
  calls.set(page, waiting);
  page.on('request', (request) => void (['fetch', 'xhr'].includes(request.resourceType()) && waiting.add(request)));
  // Not when it is finished: an answer whose body nobody reads never is.
  page.on('response', (response) => void waiting.delete(response.request()));
  page.on('requestfailed', (request) => void waiting.delete(request));
  page.on('domcontentloaded', () => waiting.clear());
}

/** Waits until a screen has come to rest: nothing asked for is outstanding, nothing on it is a placeholder. One that never rests is taken as it is. */
export async function settled(page: Page): Promise<void> {
  let quiet = 0;
  const isQuiet = async () => calls.get(page)?.size === 0 && (await page.locator('.MuiSkeleton-root, [aria-busy=true]').count()) === 0;
  for (const end = Date.now() + SETTLING_MS; quiet < 3 && Date.now() < end; ) {
    quiet = (await isQuiet()) ? quiet + 1 : 0;
    await pause(60);
  }
}

interface AxeResult {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** What axe-core finds on the present screen, WCAG 2.2 AA; one line a finding. */
async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(readFileSync(AXE, 'utf8'));
  const result = (await page.evaluate(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`)) as AxeResult;
  return result.violations.map((found) => `${page.url()} ${found.id}: ${found.help} — ${found.nodes[0]?.html ?? ''} ${found.nodes[0]?.failureSummary ?? ''}`);
}

/** As long as a toast or a dialog takes to leave, and more. */
const GLANCE_AGAIN_MS = 700;
export const SIZES = [{ width: 1440, height: 900 }, { width: 390, height: 844 }];

/**
 * What a person with a reader, on a small screen or in the other theme would stumble over on the present screen; a picture
 * of each where E2E_PICTURES names a folder.
 */
export async function findings(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  await settled(page);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const scheme of ['dark', 'light']) {
      const at = `${name}-${size.width}-${scheme}`;
      let faults = await glance(page, scheme);
      // A toast that is leaving just then has no contrast either: what is wrong stays wrong.
      for (let again = 0; faults.length > 0 && again < 2; again += 1) {
        await pause(GLANCE_AGAIN_MS);
        faults = await glance(page, scheme);
      }
      found.push(...faults.map((line) => `${at} ${line}`));
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `${at}.png`), fullPage: true });
    }
  }
  await page.setViewportSize(SIZES[0]!);
  return found;
}

async function glance(page: Page, scheme: string): Promise<string[]> {
  await inTheme(page, scheme);
  const found = await axeFindings(page);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return over > 0 ? [...found, `scrolls ${over} px sideways`] : found;
}

/** Colours fade over, and half-way they have no contrast: every transition is brought to its end. */
export async function inTheme(page: Page, scheme: string): Promise<void> {
  await page.evaluate(async (mode) => {
    document.documentElement.setAttribute('data-theme', mode);
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    for (const animation of document.getAnimations()) if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }, scheme);
}

/** Controls of the present screen, or of its dialog, that Tab does not reach or on which one does not see where one is. */
export async function keyboardFindings(page: Page, name: string): Promise<string[]> {
  await settled(page);
  const controls = await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    const root = [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog]')].at(-1) ?? document.body;
    // Cells of a grid, tabs and the arrow of a field with options are moved to by arrow keys.
    const elsewhere = '[role=grid], [aria-hidden=true], [inert], .MuiAutocomplete-endAdornment, #toasts';
    const shown = [...root.querySelectorAll<HTMLElement>('a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, [role=button], [role=switch]')].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(elsewhere),
    );
    const groupOf = (element: HTMLElement) => (element instanceof HTMLInputElement && element.type === 'radio' ? `radio ${element.name}` : element.closest('[role=tablist]') ? 'tabs' : null);
    const wanted = new Map(shown.map((element, at) => [element, groupOf(element) ?? `${at}`]));
    const [reached, unseen] = [new Set<string>(), new Set<string>()];
    const nameOf = (element: HTMLElement) => (element.ariaLabel ?? element.textContent.trim().slice(0, 60)) || element.outerHTML.slice(0, 120);
    document.addEventListener('focusin', ({ target }) => {
      const element = target as HTMLElement;
      const stop = wanted.get(element);
      if (stop) reached.add(stop);
      // A dialog takes the focus that was lost on itself: Tab never stops there.
      if (element.tabIndex < 0) return;
      requestAnimationFrame(() => {
        const around = [element, element.parentElement, element.parentElement?.parentElement].filter((one) => one !== null && one !== undefined);
        const isSeen = around.some((one) => getComputedStyle(one).outlineStyle !== 'none' || getComputedStyle(one).boxShadow !== 'none' || one.matches('.Mui-focusVisible, .Mui-focused')) || getComputedStyle(element.closest('.MuiChartsSurface-root') ?? element).outlineStyle !== 'none';
        if (!isSeen && element === document.activeElement) unseen.add(nameOf(element));
      });
    });
    Object.assign(window, { keyboardWalk: () => [...[...wanted].filter(([one, stop]) => !reached.has(stop) && one.checkVisibility() && !one.matches(':disabled')).map(([one]) => `is not reached: ${nameOf(one)}`), ...[...unseen].map((one) => `shows no focus: ${one}`)] });
    return wanted.size;
  });
  let found: string[] = [];
  // A second round, where what came meanwhile has made the first one too short.
  for (let round = 0; round === 0 || (found.length > 0 && round < 2); round += 1) {
    for (let press = 0; press < controls + 25; press += 1) await page.keyboard.press('Tab');
    found = await page.evaluate(() => (window as unknown as { keyboardWalk: () => string[] }).keyboardWalk());
  }
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  return found.map((line) => `${name} by keyboard ${line}`);
}

/** Answers the dialog that every recruiter meets once on a browser. */
export async function answerWelcome(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Welcome to / });
  await dialog.getByRole('button', { name: 'Save role' }).click();
  await dialog.waitFor({ state: 'detached' });
}
