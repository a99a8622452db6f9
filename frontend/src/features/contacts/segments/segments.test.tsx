import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, type Call, fakeApi, page, refusal, someone } from '../../../../test/fake-api';
import { renderApp } from '../../../../test/render';

const text = (field: string, label: string) => ({
  field,
  label,
  group: 'Person',
  noun: null,
  options: [],
  states: [],
  operators: [
    { name: 'is', label: 'is', value: 'text' },
    { name: 'isNot', label: 'is not', value: 'text' },
    { name: 'isOneOf', label: 'is one of', value: 'texts' },
    { name: 'isEmpty', label: 'is empty', value: 'none' },
  ],
});
const terms = [
  text('region', 'State or region'),
  {
    field: 'tags',
    label: 'Tags',
    group: 'Tags',
    noun: 'tag',
    options: [
      { value: '7', label: 'Java' },
      { value: '8', label: 'Texas' },
    ],
    states: [],
    operators: [
      { name: 'anyOf', label: 'has any of', value: 'options' },
      { name: 'noneOf', label: 'has none of', value: 'options' },
    ],
  },
  {
    field: 'mailed',
    label: 'Mailed',
    group: 'Activity',
    noun: null,
    options: [],
    states: [],
    operators: [{ name: 'notLastDays', label: 'not in the last … days', value: 'days' }],
  },
];
const segment = (over: object = {}) => ({
  id: 's1',
  name: 'Texas',
  filter: {
    combinator: 'and',
    rules: [
      { field: 'region', operator: 'isNot', value: 'TX' },
      { field: 'mailed', operator: 'notLastDays', value: 7 },
    ],
  },
  labels: {},
  broken: null,
  version: 3,
  lastCount: 12,
  countedAt: '2026-11-20T09:30:00.000Z',
  lastUsedAt: null,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
  ...over,
});
const counted = (over: object = {}) => ({ count: 412, mailable: 398, approximate: false, sample: [], ...over });

function open(path: string, answers: Record<string, unknown> = {}) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/segments/terms': terms,
    'GET /api/segments': page([segment()]),
    'GET /api/segments/s1': segment(),
    'POST /api/segments/count': counted(),
    ...answers,
  });
  return { calls, ...renderApp(path) };
}
const counts = (calls: Call[]) => calls.filter(({ path }) => path === '/api/segments/count');
const inWords = async () => (await screen.findByRole('note', { name: 'In words' })).textContent;

describe('the segments', () => {
  it('are described in words, with the number of their people', async () => {
    const { calls } = open('/contacts/segments');
    expect(await screen.findByRole('link', { name: 'Texas' })).toHaveAttribute('href', '/contacts/segments/s1');
    expect(
      screen.getByText('Contacts where State or region is not "TX" (or is empty) and Mailed not in the last 7 days.'),
    ).toBeVisible();
    expect(await screen.findByText('412 contacts')).toBeVisible();
    expect(counts(calls)[0]!.body).toEqual({ segmentId: 's1' });
    expect(screen.getByText('not used yet')).toBeVisible();
  });

  it('say what to do where there is none, and what is wrong with one', async () => {
    const { unmount } = open('/contacts/segments', { 'GET /api/segments': page([]) });
    expect(await screen.findByText('No segments yet')).toBeVisible();
    expect(screen.getByText('A segment is a saved filter: it is always up to date.')).toBeVisible();
    unmount();
    const broken = 'This segment uses the field "Tier", which no longer exists.';
    open('/contacts/segments', { 'GET /api/segments': page([segment({ broken })]) });
    expect(await screen.findByText(broken)).toBeVisible();
  });
});

describe('a segment', () => {
  it('is built from rules and groups, counted while it is built, and saved', async () => {
    const { user, calls } = open('/contacts/segments/new', {
      'POST /api/segments': answer(segment({ id: 's2' }), 201),
      'GET /api/segments/s2': segment({ id: 's2' }),
    });
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Please enter a name')).toBeVisible();
    expect(screen.getByText('Choose a value')).toBeVisible();
    expect(calls.some(({ method, path }) => method === 'POST' && path === '/api/segments')).toBe(false);
    await user.type(name, 'Java in Texas');
    const rule = within(screen.getByRole('group', { name: 'Rule 1' }));
    await user.type(rule.getByRole('textbox', { name: 'Value' }), 'TX');
    expect(await screen.findByText('412 contacts')).toBeVisible();
    expect(screen.getByText('398 can be mailed')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add group' }));
    const second = within(await screen.findByRole('group', { name: 'Rule 2.1' }));
    await user.click(second.getByRole('combobox', { name: 'Field' }));
    await user.click(await screen.findByRole('option', { name: 'Tags' }));
    await user.click(second.getByRole('combobox', { name: 'Tags' }));
    await user.click(await screen.findByRole('option', { name: 'Java' }));
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('combobox', { name: 'Which rules of group 2 must hold' }));
    await user.click(await screen.findByRole('option', { name: 'None of these' }));
    expect(await inWords()).toBe('Contacts where State or region is "TX" and not (Tags has any of "Java").');
    const filter = {
      combinator: 'and',
      rules: [
        { field: 'region', operator: 'is', value: 'TX' },
        { combinator: 'or', not: true, rules: [{ field: 'tags', operator: 'anyOf', value: ['7'] }] },
      ],
    };
    await waitFor(() => expect(counts(calls).at(-1)?.body).toEqual({ filter }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Segment Saved!')).toBeVisible();
    expect(calls.find(({ method, path }) => method === 'POST' && path === '/api/segments')?.body).toEqual({
      name: 'Java in Texas',
      filter,
    });
    await waitFor(() => expect(calls.some(({ path }) => path === '/api/segments/s2')).toBe(true));
  });

  it('has rules that can be moved and removed, at most three levels deep', async () => {
    const { user } = open('/contacts/segments/s1');
    await screen.findByRole('group', { name: 'Rule 2' });
    expect(screen.getByRole('button', { name: 'Move rule 1 up' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Move rule 1 down' }));
    expect(await inWords()).toMatch(/^Contacts where Mailed .* and State or region/);
    // The last rule cannot move down any further, so the other button gets the focus.
    await waitFor(() => expect(screen.getByRole('button', { name: 'Move rule 2 up' })).toHaveFocus());
    await user.click(screen.getByRole('button', { name: 'Remove rule 2' }));
    expect(screen.queryByRole('group', { name: 'Rule 2' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Add group' }));
    await user.click(
      within(await screen.findByRole('group', { name: 'Group 2' })).getByRole('button', { name: 'Add group' }),
    );
    const deepest = within(await screen.findByRole('group', { name: 'Group 2.2' }));
    expect(deepest.queryByRole('button', { name: 'Add group' })).not.toBeInTheDocument();
    // Unsaved rules cannot be exported.
    expect(screen.queryByRole('link', { name: 'Export CSV' })).not.toBeInTheDocument();
  });

  it('is saved with the version that was read, and reports a newer one', async () => {
    const changed = 'This segment was changed elsewhere meanwhile. Reload it and try again.';
    const { user, calls } = open('/contacts/segments/s1', {
      'PATCH /api/segments/s1': refusal(409, 'segment_changed', changed),
    });
    expect(await screen.findByRole('link', { name: 'Export CSV' })).toHaveAttribute('href', '/api/segments/s1/export');
    expect(screen.getByRole('link', { name: 'Send to this segment' })).toHaveAttribute('href', '/send?segment=s1');
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(changed)).toBeVisible();
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toMatchObject({ name: 'Texas 2', version: 3 });
  });

  it('shows an estimate until the exact count arrives, and Retry where the count fails', async () => {
    const exact = Promise.withResolvers<unknown>();
    const { calls, unmount } = open('/contacts/segments/s1', {
      'POST /api/segments/count': ({ body }: Call) =>
        (body as { exact?: boolean }).exact
          ? exact.promise
          : counted({ count: 412_000, mailable: 398_000, approximate: true }),
    });
    expect(await screen.findByText('about 412,000 contacts')).toBeVisible();
    exact.resolve(counted({ count: 412_318 }));
    expect(await screen.findByText('412,318 contacts')).toBeVisible();
    expect(counts(calls)).toHaveLength(2);
    unmount();
    const { user } = open('/contacts/segments/s1', {
      'POST /api/segments/count': refusal(503, 'count_failed', 'The count could not be made. Please try again.'),
    });
    expect(await screen.findByText('The count could not be made.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
  });

  it('that names something deleted shows it, so that the rule can be corrected', async () => {
    const reason = 'This segment uses the tag "VIP", which no longer exists.';
    open('/contacts/segments/s1', {
      'GET /api/segments/s1': segment({
        broken: reason,
        labels: { tags: 'Tags', 'tags:9': 'VIP' },
        filter: { combinator: 'and', rules: [{ field: 'tags', operator: 'anyOf', value: ['9'] }] },
      }),
    });
    expect(await screen.findByText(reason)).toBeVisible();
    expect(screen.getByText('The tag "VIP" no longer exists')).toBeVisible();
    expect(screen.getByRole('button', { name: 'VIP' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Export CSV' })).not.toBeInTheDocument();
  });
});

describe('the filtered contacts', () => {
  it('are saved as a segment with the present filters', async () => {
    const { user, calls } = open('/contacts?q=pri&consent=pending', {
      'GET /api/contacts': page([]),
      'GET /api/contacts/preparation': { preparing: false, done: 0, total: 0 },
      'GET /api/contact-tags': [],
      'GET /api/contact-fields': [],
      'GET /api/contact-columns': { columns: ['consent'] },
      'GET /api/email-lists': page([]),
      'POST /api/segments': answer(segment(), 201),
    });
    await user.click(await screen.findByRole('button', { name: 'Save as segment' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Pri');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(calls.some(({ method, path }) => method === 'POST' && path === '/api/segments')).toBe(true),
    );
    expect(calls.find(({ method, path }) => method === 'POST' && path === '/api/segments')?.body).toMatchObject({
      name: 'Pri',
      filter: {
        combinator: 'and',
        rules: [
          { field: 'consent', operator: 'isOneOf', value: ['pending'] },
          { combinator: 'or', rules: [{ field: 'email', operator: 'contains', value: 'pri' }, {}, {}, {}] },
        ],
      },
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'Texas' })).toBeVisible();
  });
});
