import { documentOf } from '../../documents.js';
import { figure, median, quantile, type Figure } from '../../goals/goals.js';
import { SUBJECT } from '../../message.js';
import type { Scenario } from '../../scenario.js';
import type { World } from '../../world.js';

const CALLS_PER_ROUND = 10;
const SHARES = [0.2, 0.4, 0.6, 0.8] as const;

/**
 * Goal 25: the check before a send. Measures forecasts for the largest list and five lists that overlap with it, then
 * the other findings for a document of 100 KB.
 */
export const check: Scenario = async ({ world, large }) => {
  const largest = await world.list(large, 'Largest');
  const others: string[] = [];
  for (const share of SHARES) others.push(await world.list(Math.round(large * share), `Share ${share}`));
  await world.db.query('vacuum analyze subscriptions');
  return [
    await forecasts(world, '25', [largest], large),
    await forecasts(world, '25b', [largest, ...others], large),
    await findings(world),
  ];
};

/**
 * Adds a fresh one-contact list per call, so that the 30 s forecast cache, keyed by the set of lists, never hits.
 */
async function forecasts(world: World, goal: string, lists: string[], expected: number): Promise<Figure> {
  const body = { emailType: 'job-post', subject: SUBJECT, content: 'Hello' };
  const times: number[] = [];
  for (let n = 0; n < CALLS_PER_ROUND; n++) {
    const own = await world.list(1, `${goal} ${n}`, { analyze: false });
    const { ms, answer } = await checked(world, { ...body, emailListIds: [...lists, own] });
    if (answer.forecast?.reaches !== expected) throw new Error(`reaches ${answer.forecast?.reaches}`);
    times.push(ms);
  }
  return figure(goal, quantile(times, 0.95) / 1000, `median ${(median(times) / 1000).toFixed(2)} s`);
}

/** After the first call the forecast of these lists is cached, so that the findings are measured. */
async function findings(world: World): Promise<Figure> {
  const list = await world.list(500, 'Small');
  const body = {
    emailType: 'job-post',
    subject: SUBJECT,
    document: documentOf(100 * 1024, 1),
    emailListIds: [list],
  };
  const times: number[] = [];
  for (let n = 0; n < 110; n++) {
    const { ms } = await checked(world, body);
    if (n >= 10) times.push(ms);
  }
  return figure('25c', quantile(times, 0.95), `median ${median(times).toFixed(0)} ms`);
}

interface Checked {
  forecast: { reaches: number } | null;
}

async function checked(world: World, body: object): Promise<{ ms: number; answer: Checked }> {
  const start = performance.now();
  const answer = (await (await world.call('POST', '/api/send-email/check', body)).json()) as Checked;
  return { ms: performance.now() - start, answer };
}
