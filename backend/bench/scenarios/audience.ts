import type { Figure } from '../goals/goals.js';
import { type People, seedPeople } from '../people.js';
import type { Bench, Scenario } from '../scenario.js';
import { contactPages } from './contact-pages.js';
import { counts } from './counts.js';
import { beforeAndAfter, rollUp, rulesAndTags } from './delivered.js';
import { preparing } from './preparing.js';

/** Seeds `--large` contacts in one account and in each of `--others` further accounts. */
async function seeded(bench: Bench): Promise<People> {
  const start = performance.now();
  const others = bench.parameter('others', 4);
  const people = await seedPeople(bench.world, bench.large, others);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  process.stderr.write(`seeded ${1 + others} accounts of ${bench.large} contacts in ${seconds} s\n`);
  return people;
}

const tell = (figures: Figure[]): Figure[] => {
  for (const { goal, name, value, detail = '' } of figures)
    process.stderr.write(`${goal} ${name}: ${value} ${detail}\n`);
  return figures;
};

/** Segments, exclusions, rules and caps of a large account, in a database with other large accounts. */
export const audience: Scenario = async (bench) => {
  const people = await seeded(bench);
  const counted = tell(await counts(bench, people));
  const { figures, sendId } = await preparing(bench, people);
  tell(figures);
  return [
    ...counted,
    ...figures,
    ...tell(await contactPages(bench, people, sendId)),
    ...tell(await rulesAndTags(bench)),
    ...tell(await rollUp(bench, people)),
    ...tell(await beforeAndAfter(bench)),
  ];
};

/** Measures only the counts of segments. */
export const segmentCounts: Scenario = async (bench) => counts(bench, await seeded(bench));

/** Prepares an audience of segments and exclusions, then measures the pages of contacts. */
export const preparedAudience: Scenario = async (bench) => {
  const people = await seeded(bench);
  const { figures, sendId } = await preparing(bench, people);
  return [...tell(figures), ...(await contactPages(bench, people, sendId))];
};

/** Measures delivery with do-not-send rules, and with merge tags of custom columns. */
export const ruled: Scenario = (bench) => rulesAndTags(bench);

/** Compares this version with an earlier build, on plain lists. */
export const before: Scenario = (bench) => beforeAndAfter(bench);

/** Measures delivery and the API while activity is written. */
export const activity: Scenario = async (bench) => rollUp(bench, await seeded(bench));
