import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { openContacts as open } from '../../../test/fixtures/profile-fixtures';

const terms = [
  {
    field: 'tags',
    label: 'Tags',
    group: 'Tags',
    noun: 'tag',
    options: [{ value: '7', label: 'Prime vendor' }],
    states: [],
    operators: [{ name: 'anyOf', label: 'has any of', value: 'options' }],
  },
];
const answers = {
  'GET /api/segments/terms': terms,
  'POST /api/segments/count': { count: 3, mailable: 2, approximate: false, sample: [] },
};

it('More opens the segment builder with the filters of the page as its first rules', async () => {
  const { user } = open('/contacts?tag=7', answers);
  await user.click(await screen.findByRole('link', { name: 'More filters' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'New Segment' })).toBeVisible();
  expect(await screen.findByRole('note', { name: 'In words' })).toHaveTextContent(
    'Contacts where Tags has any of "Prime vendor".',
  );
});

it('More opens the chosen segment itself', async () => {
  const id = '0198c0de-0000-7000-8000-000000000001';
  open(`/contacts?segment=${id}`, answers);
  expect(await screen.findByRole('link', { name: 'More filters' })).toHaveAttribute('href', `/contacts/segments/${id}`);
});
