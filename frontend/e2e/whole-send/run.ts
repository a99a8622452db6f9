import { generateKeyPairSync } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { signIn, verified } from '../kit/accounts.ts';
import type { Api } from '../kit/api.ts';
import { answerWelcome, findings, inTheme, openPage, VIEWPORTS } from '../kit/browser.ts';
import { fingers, type Hands, keyboard, mouse } from '../kit/hands.ts';
import type { Mail } from '../kit/mailbox.ts';
import { seedContacts, sql } from '../kit/seed.ts';
import { openOwnStage, type Stage } from '../kit/stage.ts';

/** Settings of one run of the journey. Each run has its own sender and contacts. */
export interface RunKind {
  name: string;
  size: { width: number; height: number };
  scheme: 'light' | 'dark';
  hands: () => Hands;
}
export const DESKTOP: RunKind = { name: 'whole-send', size: VIEWPORTS[0]!, scheme: 'light', hands: mouse };
export const PHONE: RunKind = { name: 'whole-send-phone', size: VIEWPORTS[1]!, scheme: 'dark', hands: fingers };
export const KEYBOARD: RunKind = { name: 'whole-send-keys', size: VIEWPORTS[0]!, scheme: 'light', hands: keyboard };

export const DKIM_DOMAIN = 'mail.northline.example';
const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
export const DNS = { [`s1._domainkey.${DKIM_DOMAIN}`]: `v=DKIM1; k=rsa; p=${keys.publicKey.toString('base64')}` };

/** User agent of a person's browser. Downloads by a headless browser count as automated. */
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Starts the product with signed mails. The address is required, as in production. */
export const openSendStage = (): Promise<Stage> =>
  openOwnStage({
    env: { SENDER_ADDRESS: 'required', DKIM_DOMAIN, DKIM_SELECTOR: 's1', DKIM_PRIVATE_KEY: keys.privateKey },
  });

/** One run of the journey: its signed-in sender, and what each step passes to the next. */
export class Run {
  /** The faults of all devices of the run. */
  readonly faults: string[][] = [];
  /** The mails of the send to two recipients, with and without a name. */
  mails!: [named: Mail, unnamed: Mail];
  page!: Page;
  readonly hands: Hands;

  private constructor(
    readonly kind: RunKind,
    readonly stage: Stage,
    readonly api: Api,
    readonly listId: string,
  ) {
    this.hands = kind.hands();
  }

  /** Registers a sender with a list of three people, of whom one has unsubscribed, and signs in. */
  static async start(kind: RunKind, stage: Stage): Promise<Run> {
    const { product } = stage;
    const api = await verified(product, `dana.okafor@${kind.name}.example`);
    const list = await api.call<{ id: string; slug: string }>('POST', '/api/email-lists', { name: 'Java vendors' });
    const run = new Run(kind, stage, api, list.id);
    await seedContacts(product, list.slug, [
      { email: run.reader, name: 'Priya Patel' },
      { email: run.nameless },
      { email: run.left, name: 'Gone Long' },
    ]);
    await sql(
      product,
      `update subscriptions set suppressed = 'unsubscribed', unsubscribed_at = now() where email = $1`,
      [run.left],
    );
    run.page = await run.signedIn();
    return run;
  }

  get url(): string {
    return this.stage.product.url;
  }
  get mailboxUrl(): string {
    return this.stage.product.mailboxUrl;
  }
  get sender(): string {
    return `dana.okafor@${this.kind.name}.example`;
  }
  get reader(): string {
    return `priya@${this.kind.name}.example`;
  }
  get nameless(): string {
    return `jobs@${this.kind.name}.example`;
  }
  get left(): string {
    return `gone@${this.kind.name}.example`;
  }

  /** Opens a page in a separate browser context, in the size and scheme of the run. */
  async device(): Promise<Page> {
    const { size, scheme } = this.kind;
    const isPhone = this.kind === PHONE;
    const context = await this.stage.browser.newContext({
      viewport: size,
      userAgent: PERSON,
      hasTouch: isPhone,
      isMobile: isPhone,
    });
    // The frames of the preview are sandboxed and have no storage.
    await context.addInitScript((mode) => void (window === window.top && localStorage.setItem('theme', mode)), scheme);
    const { page, faults } = await openPage(context, [this.url]);
    this.faults.push(faults);
    return page;
  }

  /** A device on which the sender is signed in. */
  async signedIn(): Promise<Page> {
    const page = await this.device();
    await signIn(page, this.stage.product, this.sender);
    await answerWelcome(page);
    return page;
  }

  /** Expects no accessibility findings: on a desktop at both widths, otherwise at the width of the run. */
  async look(name: string, page = this.page): Promise<void> {
    const { kind } = this;
    expect(await findings(page, `${kind.name}-${name}`, kind === DESKTOP ? VIEWPORTS : [kind.size])).toEqual([]);
    await page.setViewportSize(kind.size);
    await inTheme(page, kind.scheme);
  }

  /** Expects that the page does not scroll sideways. */
  async fits(page = this.page): Promise<void> {
    const width = () => page.evaluate(() => Math.max(document.documentElement.scrollWidth, window.innerWidth));
    expect(await width()).toBeLessThanOrEqual(this.kind.size.width);
  }

  /** Opens a screen by its entry in the navigation. */
  async go(entry: string, page = this.page): Promise<void> {
    const { press } = this.hands;
    if (this.kind === PHONE) await press(page.getByRole('button', { name: 'Open navigation' }));
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await press(navigation.getByRole('link', { name: entry, exact: true }));
    await page.getByRole('heading', { level: 1, name: entry }).waitFor();
    await page.getByRole('dialog', { name: 'Navigation' }).waitFor({ state: 'detached' });
  }

  /** Chooses a file in the chooser that a button opens. */
  async choose(button: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.hands.press(button)]);
    await chooser.setFiles(file);
  }

  next = () => this.hands.press(this.page.getByRole('button', { name: 'Next' }));
  field = () => this.page.getByRole('textbox', { name: 'Email content' });
  saved = (on = this.page) => on.getByText(/^Saved \d/).waitFor();
  draftId = () => new URL(this.page.url()).pathname.split('/').at(-1) ?? '';
}
