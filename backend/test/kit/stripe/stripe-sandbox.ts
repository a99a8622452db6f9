import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';
import type { TestApp } from '../app.js';

const QUIET_MS = 4_000;

/** Uses Stripe's own sandbox: fetches its events and posts them to the app as Stripe would. */
export class Sandbox {
  private app?: TestApp;
  private readonly seen = new Set<string>();
  private readonly since = Math.floor(Date.now() / 1000) - 5;

  private constructor(
    readonly stripe: Stripe,
    private readonly secretKey: string,
    private readonly webhookSecret: string,
  ) {}

  static async open(secretKey: string, webhookSecret: string): Promise<Sandbox> {
    if (!/^[rs]k_test_/.test(secretKey)) throw new Error('STRIPE_TEST_SECRET_KEY must be a test key');
    const made = new Sandbox(new Stripe(secretKey, { maxNetworkRetries: 3 }), secretKey, webhookSecret);
    await made.requirePrices();
    return made;
  }

  get env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: this.secretKey,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_kit',
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
    };
  }

  connect(app: TestApp): void {
    this.app = app;
  }

  /** Posts new events until none has arrived for a while. */
  async settled(): Promise<void> {
    for (let quietSince = Date.now(); Date.now() - quietSince < QUIET_MS; await pause(500))
      if (await this.postNew()) quietSince = Date.now();
  }

  /** Does through the API what a button in Stripe's portal does, because the portal's pages need a browser. */
  async press(customer: string, form: Record<string, string>): Promise<void> {
    const {
      data: [sub],
    } = await this.stripe.subscriptions.list({ customer, limit: 1 });
    if (!sub) throw new Error('there is no subscription to act on');
    if (form.action === 'cancel') await this.stripe.subscriptions.update(sub.id, { cancel_at: 'min_period_end' });
    if (form.action === 'switch')
      await this.stripe.subscriptions.update(sub.id, {
        items: [{ id: sub.items.data[0]!.id, price: form.price }],
        proration_behavior: 'always_invoice',
      });
    if (form.action === 'card') {
      const { id } = await this.stripe.paymentMethods.attach(form.card!, { customer });
      await this.stripe.subscriptions.update(sub.id, { default_payment_method: id });
    }
  }

  private async postNew(): Promise<boolean> {
    const fresh: Stripe.Event[] = [];
    for await (const event of this.stripe.events.list({ created: { gte: this.since }, limit: 100 })) {
      if (this.seen.has(event.id)) continue;
      this.seen.add(event.id);
      fresh.push(event);
    }
    for (const event of fresh.reverse()) {
      const payload = JSON.stringify(event);
      const signature = this.stripe.webhooks.generateTestHeaderString({ payload, secret: this.webhookSecret });
      await this.app!.http()
        .post('/api/stripe/webhook')
        .set('content-type', 'application/json')
        .set('stripe-signature', signature)
        .send(payload);
    }
    return fresh.length > 0;
  }

  /** Checks that the two prices exist under the lookup keys of the product. */
  private async requirePrices(): Promise<void> {
    for (const [key, amount, interval] of [
      ['pro_monthly', 1000, 'month'],
      ['pro_yearly', 9600, 'year'],
    ] as const) {
      const { data } = await this.stripe.prices.list({ lookup_keys: [key] });
      if (data.length > 0) continue;
      const { id: product } = await this.stripe.products.create({ name: `Pro (${key})` });
      await this.stripe.prices.create({
        product,
        unit_amount: amount,
        currency: 'usd',
        recurring: { interval },
        lookup_key: key,
      });
    }
  }
}
