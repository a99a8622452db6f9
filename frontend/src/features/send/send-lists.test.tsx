import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { page, type Call } from '../../../test/fake-api';
import { openWizard, sendableList, storedDraft, fakeDrafts } from '../../../test/send-kit';
import { emptyDraft } from './draft';

describe('a send to a list', () => {
  it('has that list selected instead of the lists before; the text stays', async () => {
    localStorage.setItem(
      'send_draft_u1',
      JSON.stringify({ ...emptyDraft('job-post'), subject: 'Half written', step: 1, emailListIds: ['l1'] }),
    );
    const opened = openWizard({}, '/send?list=l2');
    expect(await screen.findByRole('checkbox', { name: /Bench partners/ })).toBeChecked();
    expect(screen.getByRole('checkbox', { name: /Java vendors/ })).not.toBeChecked();
    await waitFor(() => expect(opened.router.state.location.search).toBe(''));
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByLabelText('Subject line')).toHaveValue('Half written');
  });
});

describe('more lists than one request returns', () => {
  const first = Array.from({ length: 9 }, (_, i) => sendableList(`l${i + 1}`, `List ${i + 1}`, 1));
  const far = sendableList('l1700', 'Far vendors', 12);
  const answers = {
    'GET /api/email-lists': ({ query }: Call) => (query.search ? page([far]) : page(first, 1700, 'c1')),
    'GET /api/email-lists/l1700': far,
  };

  it('can all be chosen: the server searches them', async () => {
    const { user, calls } = openWizard(answers);
    await user.type(await screen.findByRole('searchbox', { name: 'Search lists...' }), 'far');
    await user.click(await screen.findByRole('checkbox', { name: /Far vendors/ }));
    expect(calls.filter(({ path }) => path === '/api/email-lists').at(-1)?.query).toMatchObject({
      search: 'far',
      sendable: 'true',
    });
    await user.clear(screen.getByRole('searchbox', { name: 'Search lists...' }));
    expect(await screen.findByRole('checkbox', { name: /List 9/ })).not.toBeChecked();
    expect(screen.getByRole('checkbox', { name: /Far vendors/ })).toBeChecked();
    expect(screen.queryByText(/no longer there/)).not.toBeInTheDocument();
  });

  it('can be chosen by a link as well', async () => {
    openWizard(answers, '/send?list=l1700');
    expect(await screen.findByRole('checkbox', { name: /Far vendors/ })).toBeChecked();
    expect(await screen.findByText('1 list selected')).toBeVisible();
  });
});

describe('a deleted list in a draft', () => {
  it('is removed from the draft, and the screen says so', async () => {
    const drafts = fakeDrafts(storedDraft({ emailListIds: ['l2', 'l9'] }));
    openWizard({}, '/send/d1', drafts);
    expect(await screen.findByText(/A list that you had chosen is no longer there/)).toBeVisible();
    await waitFor(() => expect(drafts.draft?.emailListIds).toEqual(['l2']));
  });
});
