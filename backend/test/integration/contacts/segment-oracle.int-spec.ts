import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FilterCompiler } from '../../../src/modules/contacts/segments/filter-compiler.service.js';
import type { SegmentFilter, SegmentRule } from '../../../src/modules/contacts/segments/segment-filter.js';
import { type SegmentTerm, SegmentTerms } from '../../../src/modules/contacts/segments/segment-terms.registry.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { Oracle } from './segment-oracle.js';
import {
  dayFrom,
  type Dice,
  DOMAINS,
  FIELDS,
  makeWorld,
  NAMES,
  REGIONS,
  seeded,
  storeWorld,
  type World,
} from './segment-world.js';
import { newList } from './support.js';

const ZONE = 'America/Chicago';
const PEOPLE = 10_000;
/** Number of values that are tried for each comparison. */
const TRIES = 3;
/** Number of values that are tried if a comparison has found nobody. */
const MOST_TRIES = 30;
/** Comparisons with a text that possibly nobody has. */
const MAY_FIND_NOBODY =
  /^(?:(email|firstName|lastName|company|jobTitle|phone|city|region|country|timeZone|field\.note) (is|isOneOf|contains|startsWith)$|createdAt)/;
const COMPOUND = 200;

let app: TestApp;
let ann: SignedUp;
let world: World;
let oracle: Oracle;
let terms: SegmentTerm[];
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const dice = seeded(seed);

beforeAll(async () => {
  // No worker runs, so that nothing is delivered or rolled up while product and oracle are compared.
  app = await startApp({ env: { ROLE: 'web' } });
  ann = await app.user();
  await rows(app.em(), `update users set time_zone = ? where id = ?`, [ZONE, ann.id]);
  const lists = [await newList(ann, 'One'), await newList(ann, 'Two'), await newList(ann, 'Three')];
  const deletedList = await newList(ann, 'Gone');
  const tags: number[] = [];
  for (const name of ['Java', 'Texas', 'VIP', 'Slow'])
    tags.push((await ann.agent.post('/api/contact-tags').send({ name }).expect(201)).body.id as number);
  for (const { key, label, type, options } of FIELDS)
    await ann.agent
      .post('/api/contact-fields')
      .send({ key, label, type, ...(options.length > 0 && { options }) })
      .expect(201);
  const sends = [
    { id: randomUUID(), hours: 1, isPending: true },
    { id: randomUUID(), hours: 200, isPending: true },
    { id: randomUUID(), hours: 300, isPending: false },
  ];
  world = makeWorld(seed, PEOPLE, ZONE, { lists, deletedList, tags, sends });
  await storeWorld(app.em(), ann.id, world);
  await rows(app.em(), `update email_lists set deleted_at = now() where id = ?`, [deletedList]);
  oracle = new Oracle(world, ZONE);
  terms = await app.get(SegmentTerms).of(ann.id, app.em());
});
afterAll(() => app.close());

async function found(filter: SegmentFilter): Promise<Set<string>> {
  const em = app.em();
  const compiled = await app.get(FilterCompiler).compile(ann.id, filter, em);
  if ('problems' in compiled) throw new Error(JSON.stringify([filter, compiled.problems]));
  const { sql, params } = compiled.condition;
  const ids = await rows<{ id: string }>(em, `select p.id from contact_profiles p where p.owner_id = ? and (${sql})`, [
    ann.id,
    ...params,
  ]);
  return new Set(ids.map(({ id }) => id));
}

/** Compares product and oracle. Fails with the filter, the seed and a person whom only one of them finds. */
async function agree(filter: SegmentFilter): Promise<number> {
  const [is, should] = [await found(filter), oracle.finds(filter)];
  const wrong = world.people.filter(({ id }) => is.has(id) !== should.has(id));
  expect({ seed, filter, wrong: wrong.length, first: wrong[0], isFound: wrong[0] && is.has(wrong[0].id) }).toEqual({
    seed,
    filter,
    wrong: 0,
    first: undefined,
    isFound: undefined,
  });
  return is.size;
}

const textFor = (field: string, from: Dice): string => {
  if (field === 'emailDomain') return from.pick(DOMAINS);
  if (field === 'companyDomain') return from.pick(['acme.example', 'BETA.example', 'nobody.example']);
  if (field === 'email') return from.pick(['p1', 'P12.ANN@acme.example', '%', '@gmail']);
  return from.pick([...NAMES.filter(Boolean), ...REGIONS, 'US', 'austin', '_', '%', "'; drop table users; --"]);
};

function valueFor(term: SegmentTerm, kind: string, from: Dice): unknown {
  const days = (): string => dayFrom(from.pick([-40, -8, -7, -1, 0, 1, 7, 300]), ZONE);
  const options = (): string[] => {
    const values = term.options!.map(({ value }) => value);
    const some = from.some(values, 0.4);
    return some.length > 0 ? some : [values[0]!];
  };
  switch (kind) {
    case 'text':
      return textFor(term.field, from);
    case 'texts':
      return [...new Set([textFor(term.field, from), textFor(term.field, from), 'ANN'])];
    case 'number':
      return from.pick([-5, 79.5, 80, 100]);
    case 'numbers':
      return from.pick([
        [-5, 80],
        [80, 80],
        [79.5, 1e14],
      ]);
    case 'date':
      return days();
    case 'dates':
      return [days(), days()].sort();
    case 'days':
      return from.pick([1, 7, 30]);
    case 'count':
      return from.pick([1, 2, 3]);
    case 'options':
      return options();
    case 'listed':
      return { values: options(), state: from.pick(term.states!).value };
    case 'reference':
      return from.pick(world.sends).id;
    default:
      return undefined;
  }
}

function ruleOf(term: SegmentTerm, name: string, from: Dice): SegmentRule {
  const value = valueFor(term, term.operators.find((one) => one.name === name)!.value, from);
  return { field: term.field, operator: name, ...(value !== undefined && { value }) };
}

function groupOf(from: Dice, depth: number): SegmentFilter {
  const rules = Array.from({ length: 1 + from.below(3) }, () =>
    depth < 3 && from.chance(0.4) ? groupOf(from, depth + 1) : anyRule(from),
  );
  return { combinator: from.pick(['and', 'or'] as const), ...(from.chance(0.3) && { not: true }), rules };
}

function anyRule(from: Dice): SegmentRule {
  const term = from.pick(terms);
  return ruleOf(term, from.pick(term.operators).name, from);
}

describe('a segment', () => {
  it(`finds the same people as a filter in plain code, for every term and comparison over ${PEOPLE} random people`, async () => {
    const empty: string[] = [];
    for (const term of terms)
      for (const { name } of term.operators) {
        const comparison = `${term.field} ${name}`;
        const tries = MAY_FIND_NOBODY.test(comparison) ? TRIES : MOST_TRIES;
        let most = 0;
        for (let n = 0; n < TRIES || (most === 0 && n < tries); n++)
          most = Math.max(most, await agree({ combinator: 'and', rules: [ruleOf(term, name, dice)] }));
        if (most === 0 && !MAY_FIND_NOBODY.test(comparison)) empty.push(comparison);
      }
    // A comparison that never finds anybody would not be tested.
    expect(empty).toEqual([]);
  }, 300_000);

  it('finds the same people as a filter in plain code, for random groups of three levels', async () => {
    for (let n = 0; n < COMPOUND; n++) await agree(groupOf(dice, 1));
  }, 300_000);
});
