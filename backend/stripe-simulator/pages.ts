import type Stripe from 'stripe';
import type { Account } from './account.ts';
import { TEST_CARDS } from './cards.ts';
import { collect } from './invoices.ts';
import { intervalOf } from './objects/catalogue.ts';
import { answerChallenge, attach, methodOf } from './payments.ts';
import { cancelNow, isLive, periodOf, switchPrice, updateSubscription } from './subscriptions.ts';
import { ApiFault, type Params, textOf, type Wire } from './wire.ts';

export interface PageAnswer {
  status: number;
  html?: string;
  location?: string;
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);
const money = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:2rem auto;padding:0 1rem;color:#1a1f36;background:#fff}
header{background:#fff3cd;color:#533f03;padding:.5rem 1rem;border-radius:6px}button{font:inherit;padding:.5rem 1rem;margin:.25rem .25rem .25rem 0}
section{border-top:1px solid #d8dee4;margin-top:1rem;padding-top:.5rem}.error{color:#a4001d}fieldset{border:0;padding:0}label{display:block}</style></head>
<body><header>Demo – no real card is charged. This page stands in for Stripe's.</header><main><h1>${title}</h1>${body}</main></body></html>`;
}

const gone = (): PageAnswer => ({ status: 404, html: page('Not found', '<p>This page has expired or never was.</p>') });

/** Page on which the customer passes or fails 3-D Secure. It then redirects to the return URL. */
export function challengePage(
  account: Account,
  id: string,
  secret: string | undefined,
  form: Params | undefined,
): PageAnswer {
  const intent = account.find('payment_intents', id);
  if (!intent || intent.client_secret !== secret) return gone();
  if (!form) {
    if (intent.status !== 'requires_action')
      return { status: 200, html: page('3-D Secure', '<p>There is nothing left to confirm.</p>') };
    return {
      status: 200,
      html: page(
        '3-D Secure',
        `<p>Your bank asks whether you make this payment of ${money(intent.amount)}.</p>
<form method="post"><button name="outcome" value="pass">Complete authentication</button><button name="outcome" value="fail">Fail authentication</button></form>`,
      ),
    };
  }
  const back = intent.next_action?.redirect_to_url?.return_url;
  try {
    answerChallenge(account, intent, textOf(form, 'outcome') === 'pass');
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error;
  }
  if (!back) return { status: 200, html: page('3-D Secure', '<p>You can close this page.</p>') };
  const url = new URL(back);
  url.searchParams.set('payment_intent', intent.id);
  url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed');
  return { status: 303, location: url.toString() };
}

/** The billing portal, where the customer can cancel or resume the plan, switch its price and replace the card. */
export function portalPage(account: Account, id: string, form: Params | undefined): PageAnswer {
  const session = account.find('portal_sessions', id);
  if (!session || account.state.deletedCustomers.includes(session.customer)) return gone();
  const [sub] = account.newest(
    'subscriptions',
    (row) => row.customer === session.customer && isLive(row) && row.status !== 'incomplete',
  );
  if (!form) return { status: 200, html: portalHtml(account, session, sub) };
  try {
    act(account, sub, session.customer, form);
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error;
    return { status: 200, html: portalHtml(account, session, sub, error.message) };
  }
  return { status: 303, location: session.url };
}

function act(account: Account, sub: Wire<Stripe.Subscription> | undefined, customer: string, form: Params): void {
  const action = textOf(form, 'action');
  if (action === 'card') return replaceCard(account, sub, customer, textOf(form, 'card') ?? '');
  if (!sub) return;
  if (action === 'cancel') updateSubscription(account, sub, { cancel_at: 'min_period_end' });
  if (action === 'cancel_now') cancelNow(account, sub);
  if (action === 'resume')
    updateSubscription(account, sub, sub.cancel_at_period_end ? { cancel_at_period_end: 'false' } : { cancel_at: '' });
  if (action === 'switch') switchPrice(account, sub, account.get('prices', textOf(form, 'price') ?? ''));
}

function replaceCard(
  account: Account,
  sub: Wire<Stripe.Subscription> | undefined,
  customer: string,
  card: string,
): void {
  const method = attach(account, methodOf(account, card, customer), customer);
  if (!sub) return;
  account.change(sub, { default_payment_method: method.id }, 'customer.subscription.updated');
  const last = account.find('invoices', sub.latest_invoice);
  if (sub.status === 'past_due' && last) collect(account, last);
}

function portalHtml(
  account: Account,
  session: Wire<Stripe.BillingPortal.Session>,
  sub: Wire<Stripe.Subscription> | undefined,
  problem?: string,
): string {
  const invoices = account.newest('invoices', (row) => row.customer === session.customer && row.status !== 'draft');
  const cards = Object.entries(TEST_CARDS)
    .filter(([, card]) => card.attachable)
    .map(
      ([name, card], index) =>
        `<label><input type="radio" name="card" value="${name}"${index === 0 ? ' checked' : ''}> ${card.label}</label>`,
    )
    .join('');
  return page(
    'Billing portal',
    `${problem ? `<p class="error" role="alert">${escape(problem)}</p>` : ''}
${sub ? planHtml(account, sub) : '<p>There is no current plan.</p>'}
<section><h2>Card</h2><form method="post"><fieldset><legend>Replace the card</legend>${cards}</fieldset><button name="action" value="card">Save card</button></form></section>
<section><h2>Invoices</h2>${invoices.map((row) => `<p>${day(row.created)} ${escape(row.number ?? '')} ${money(row.total)} ${escape(row.status ?? '')}</p>`).join('') || '<p>None yet.</p>'}</section>
${session.return_url ? `<section><a href="${escape(session.return_url)}">Back</a></section>` : ''}`,
  );
}

function planHtml(account: Account, sub: Wire<Stripe.Subscription>): string {
  const [item] = sub.items.data;
  const others = account.all('prices').filter((row) => row.active && row.id !== item?.price.id);
  const ending = sub.cancel_at !== null;
  return `<section><h2>Plan</h2><p>Pro, ${money(item?.price.unit_amount ?? 0)} a ${item ? intervalOf(item.price) : ''}, ${escape(sub.status)}, ${ending ? 'ends' : 'renews'} ${day(sub.cancel_at ?? periodOf(sub).end)}</p>
<form method="post">${ending ? '<button name="action" value="resume">Do not cancel</button>' : '<button name="action" value="cancel">Cancel plan</button>'}</form>
${others.map((row) => `<form method="post"><input type="hidden" name="price" value="${row.id}"><button name="action" value="switch">Switch to ${money(row.unit_amount ?? 0)} a ${intervalOf(row)}</button></form>`).join('')}</section>`;
}
