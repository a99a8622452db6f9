import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { filterOf, newField, newList, newTag, texas } from './support.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;

beforeAll(async () => {
  app = await startApp();
  [ann, bob] = [await app.user(), await app.user()];
});
afterAll(() => app.close());

const count = async (body: object, user = ann) =>
  (await user.agent.post('/api/segments/count').send(body).expect(200)).body;

describe('a filter', () => {
  it("is refused where it is hostile or another account's, with the rule at fault", async () => {
    const [tag, list] = [await newTag(bob, 'Bob'), await newList(bob)];
    await newField(bob, { key: 'secret', label: 'Secret', type: 'text' });
    const deep = `{"filter":${'{"combinator":"and","rules":['.repeat(10_000)}${']}'.repeat(10_000)}}`;
    const rule = (field: string, operator: string, value?: unknown) => filterOf({ field, operator, value });
    const raw = (text: string) =>
      ann.agent.post('/api/segments/count').set('content-type', 'application/json').send(text);
    for (const [name, filter, path] of [
      ['no object', 5, 'filter'],
      ['a list', [], 'filter'],
      ['nothing', {}, 'filter.combinator'],
      ['no rule', filterOf(), 'filter.rules'],
      ['an empty group', filterOf(filterOf()), 'filter.rules.0.rules'],
      ['a value as an object', rule('city', 'is', { $ne: 1 }), 'filter.rules.0.value'],
      ['an object as a field', filterOf({ field: { $ne: 1 }, operator: 'is', value: 'x' }), 'filter.rules.0.field'],
      ['__proto__', rule('__proto__', 'is', 'x'), 'filter.rules.0.field'],
      ['another account’s field', rule('field.secret', 'is', 'x'), 'filter.rules.0.field'],
      ['another account’s tag', rule('tags', 'anyOf', [String(tag)]), 'filter.rules.0.value'],
      ['another account’s list', rule('list', 'anyOf', { values: [list], state: 'any' }), 'filter.rules.0.value'],
      [
        'a list that is no id',
        rule('list', 'anyOf', { values: ["'; drop table users"], state: 'any' }),
        'filter.rules.0.value',
      ],
      ['an unknown state', rule('list', 'anyOf', { values: [], state: 'x' }), 'filter.rules.0.value'],
      ['another account’s send', rule('sent', 'is', list), 'filter.rules.0.value'],
      ['an unknown comparison', rule('city', 'constructor', 'x'), 'filter.rules.0.operator'],
      ['an unknown key', filterOf({ field: 'city', operator: 'is', value: 'x', sql: '1=1' }), 'filter.rules.0.sql'],
      ['no value', rule('city', 'is'), 'filter.rules.0.value'],
      ['a huge number of days', rule('mailed', 'lastDays', 1e15), 'filter.rules.0.value'],
      ['a fraction of a day', rule('mailed', 'lastDays', 0.5), 'filter.rules.0.value'],
      ['a day that is none', rule('createdAt', 'lt', '2026-02-30'), 'filter.rules.0.value'],
      ['days in the wrong order', rule('createdAt', 'between', ['2026-02-03', '2026-02-01']), 'filter.rules.0.value'],
      [
        '201 values',
        rule(
          'city',
          'isOneOf',
          Array.from({ length: 201 }, (_, n) => `c${n}`),
        ),
        'filter.rules.0.value',
      ],
      ['51 rules', filterOf(...Array.from({ length: 51 }, () => texas.rules[0]!)), 'filter'],
      ['four levels', filterOf(filterOf(filterOf(texas))), 'filter.rules.0.rules.0.rules.0'],
      [
        '33 KB',
        rule(
          'city',
          'isOneOf',
          Array.from({ length: 40 }, (_, n) => `${n}`.padEnd(900, 'x')),
        ),
        'filter',
      ],
      ['a lone surrogate', rule('city', 'is', '\ud800'), 'filter.rules.0.value'],
    ] as const) {
      const answer = await ann.agent.post('/api/segments/count').send({ filter });
      expect([name, answer.status, answer.body.code, answer.body.details?.[0]?.field]).toEqual([
        name,
        400,
        'validation_failed',
        path,
      ]);
    }
    expect([400, 413]).toContain((await raw(deep)).status);
    await raw(
      '{"filter":{"combinator":"and","rules":[{"field":"mailed","operator":"lastDays","value":1e400}]}}',
    ).expect(400);
    await raw('{"filter":{"combinator":"and","rules":[{"field":"city","operator":"is","value":"\\u0000"}]}}').expect(
      400,
    );
    await ann.agent.post('/api/segments/count').send({}).expect(400);
    await ann.agent.post('/api/segments').send({ name: '', filter: texas }).expect(400);
    const injection = rule('city', 'is', `'; drop table contact_profiles; --`);
    expect(await count({ filter: injection })).toMatchObject({ count: 0 });
    // The refusal lists all invalid rules at once, for the segment builder.
    const { body } = await ann.agent
      .post('/api/segments')
      .send({ name: 'x', filter: filterOf({ field: 'city', operator: 'is' }, { field: 'no', operator: 'is' }) })
      .expect(400);
    expect(body.details.map((one: { field: string }) => one.field)).toEqual([
      'filter.rules.0.value',
      'filter.rules.1.field',
    ]);
  });
});
