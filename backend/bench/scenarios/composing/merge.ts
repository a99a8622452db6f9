import { documentOf } from '../../documents.js';
import { figure, info, median, quantile, type Figure } from '../../goals/goals.js';
import { CONTENT, type SentText, SUBJECT, TAGGED } from '../../message.js';
import { productRate, withWorker } from '../../rates.js';
import type { Scenario } from '../../scenario.js';
import { DKIM_PEM } from '../../machine.js';
import { type World } from '../../world.js';

const PLAIN = { subject: SUBJECT, content: CONTENT };
/** Size of the text and HTML parts together. */
const DOCUMENT_BYTES = 12 * 1024;
const SIGNED = { DKIM_DOMAIN: 'bench.test', DKIM_SELECTOR: 'bench', DKIM_PRIVATE_KEY: DKIM_PEM };

interface Run {
  rate: number;
  statements: number;
  /** Processor time of the worker per message, in microseconds. */
  cost: number;
}

interface Runs {
  one: Run[];
  other: Run[];
}
interface Pair {
  /** The message to measure, and the one to compare it with. */
  one: SentText;
  other: SentText;
}

/** Goal 20: a message with merge tags against the same one without, by one worker, in alternating order. */
export const merge: Scenario = async ({ world, sink, rounds, size }) => {
  const list = await named(world, size);
  const measure = async (pair: Pair, env: Record<string, string> = {}): Promise<Runs> => {
    const found: Runs = { one: [], other: [] };
    await withWorker(
      world,
      async (worker) => {
        const run = async (text: SentText): Promise<Run> => {
          const [before, spent] = [await world.statements(), worker.processorTime()];
          const rate = await productRate(world, sink, list, text);
          const cost = ((worker.processorTime() - spent) * 1e6) / size;
          return { rate, cost, statements: (((await world.statements()) - before) * 500) / size };
        };
        for (const text of [pair.other, pair.one]) await run(text);
        for (let round = 0; round < rounds; round++) {
          for (const kind of round % 2 === 0 ? (['other', 'one'] as const) : (['one', 'other'] as const))
            found[kind].push(await run(pair[kind]));
        }
      },
      env,
    );
    return found;
  };
  const peakOf = (text: SentText): Promise<number> =>
    withWorker(world, async (worker) => {
      for (let i = 0; i < 3; i++) await productRate(world, sink, list, text);
      return worker.peak();
    });
  const tagged: Pair = { one: TAGGED, other: PLAIN };
  const unsigned = await measure(tagged);
  const signed = await measure(tagged, SIGNED);
  const document = await documentPair(world, list);
  const documents = await measure(document);
  const peaks = [await peakOf(PLAIN), await peakOf(TAGGED)] as const;
  const statements = unsigned.one.map((run, i) => run.statements - unsigned.other[i]!.statements);
  return [
    figure('20', median(ratios(unsigned)), each(ratios(unsigned))),
    figure('20b', median(ratios(signed)), each(ratios(signed))),
    figure('20c', median(statements), each(statements)),
    figure('20d', peaks[1] - peaks[0], peaks.map((one) => one.toFixed(0)).join(' and ')),
    figure('20g', median(ratios(documents)), each(ratios(documents))),
    ...costs(['without tags', 'with 5 tags'], unsigned),
    ...costs(['without tags, signed', 'with 5 tags, signed'], signed),
    ...costs(['plain text of its size', 'a document of 12 KB'], documents),
  ];
};

/** A document, and a plain text, each with text and HTML parts of 12 KB together. */
async function documentPair(world: World, list: string): Promise<Pair> {
  const sizeOf = async (body: object): Promise<number> => {
    const given = { emailListIds: [list], emailType: 'job-post', subject: SUBJECT, ...body };
    const answer = await world.call('POST', '/api/send-email/preview', given);
    const { html, text } = (await answer.json()) as { html: string; text: string };
    return Buffer.byteLength(html) + Buffer.byteLength(text);
  };
  const upTo = async <T extends object>(most: number, bodyOf: (n: number) => T): Promise<T> => {
    let n = 1;
    while ((await sizeOf(bodyOf(n + 1))) <= most) n++;
    return bodyOf(n);
  };
  const rich = await upTo(DOCUMENT_BYTES, (n) => ({ document: documentOf(n * 500, 0) }));
  const plain = await upTo(await sizeOf(rich), (n) => ({ content: CONTENT.slice(0, 1_000).padEnd(n * 50, CONTENT) }));
  return { one: { subject: SUBJECT, ...rich }, other: { subject: SUBJECT, ...plain } };
}

const each = (values: readonly number[]): string => values.map((one) => one.toFixed(2)).join(', ');
const ratios = ({ one, other }: Runs): number[] => one.map(({ rate }, i) => rate / other[i]!.rate);
const costs = ([other, one]: [string, string], runs: Runs): Figure[] =>
  (
    [
      [other, runs.other],
      [one, runs.one],
    ] as const
  ).flatMap(([name, found]) => [
    info(name, median(found.map(({ rate }) => rate)), '/s'),
    info(`${name}, processor time of the worker, a message`, median(found.map(({ cost }) => cost)), 'us'),
  ]);

interface Rendered {
  next: string;
  recipient: { emptyTags: string[] } | null;
}

/**
 * Goal 20: response times of the preview when stepping through the recipients of the largest list: from its beginning,
 * from its middle, by search, and by an empty tag.
 */
export const steps: Scenario = async ({ world, large }) => {
  const list = await named(world, large);
  await world.db.query(
    `update subscriptions set first_name = null where email_list_id = $1 and email_norm like 'p%7777@people27.test'`,
    [list],
  );
  const render = async (recipient: object): Promise<{ ms: number; body: Rendered }> => {
    const start = performance.now();
    const answer = await world.call('POST', '/api/send-email/render', {
      emailListIds: [list],
      emailType: 'job-post',
      ...TAGGED,
      recipient,
    });
    return { body: (await answer.json()) as Rendered, ms: performance.now() - start };
  };
  const walk = async (recipient: object, count: number): Promise<number[]> => {
    const times: number[] = [];
    let step = await render(recipient);
    for (let i = 0; i < count && step.body.next; i++) {
      step = await render({ ...recipient, after: step.body.next });
      times.push(step.ms);
    }
    return times;
  };
  await walk({}, 20);
  const after = Buffer.from('p5').toString('base64url');
  const walks = [await walk({}, 100), await walk({ after }, 100), await walk({ search: '77@people' }, 50)];
  const empty = await render({ onlyEmpty: true });
  walks.push(await walk({ onlyEmpty: true }, 50));
  const none = await render({ onlyEmpty: true, search: 'nobody-has-this' });
  return [
    figure(
      '20e',
      quantile(walks.flat(), 0.95),
      walks.map((times) => `${times.length}: ${median(times).toFixed(1)}`).join(', '),
    ),
    figure('20f', Math.max(empty.ms, none.ms) / 1000, `${empty.ms.toFixed(0)} and ${none.ms.toFixed(0)} ms`),
  ];
};

/**
 * A list whose contacts have values for all tags. Companies are in their profiles; a fifth of the values is not ASCII.
 */
async function named(world: World, count: number): Promise<string> {
  const list = await world.list(count, 'Named');
  await world.db.query(
    `update subscriptions set first_name = case when n % 5 = 0 then 'Zoë' else 'Priya' end || n % 300,
       last_name = case when n % 5 = 1 then 'Müller' else 'Patel' end || n % 700,
       name = case when n % 5 = 2 then 'Ünique ' else 'Person ' end || n
     from (select id as of, substring(email from '[0-9]+')::int as n from subscriptions where email_list_id = $1) c where id = c.of`,
    [list],
  );
  await world.db.query(
    `insert into contact_profiles (id, owner_id, email, email_norm, email_hash, first_name, last_name, company, source)
     select gen_random_uuid(), $2, email, email_norm, email_hash, first_name, last_name, case when n % 5 = 3 then 'Zürich & Söhne ' else 'Acme Staffing ' end || n % 900, 'import'
     from (select s.*, substring(email from '[0-9]+')::int as n from subscriptions s where email_list_id = $1) s`,
    [list, world.userId],
  );
  await world.db.query(
    `update subscriptions c set profile_id = p.id from contact_profiles p where p.owner_id = $2 and p.email_hash = c.email_hash and c.email_list_id = $1`,
    [list, world.userId],
  );
  await world.db.query('vacuum analyze subscriptions, contact_profiles');
  return list;
}
