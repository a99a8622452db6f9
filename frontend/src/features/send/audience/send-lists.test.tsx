import { describe, expect, it } from '@jest/globals';
import { ThemeProvider } from '@mui/material/styles';
import { act, screen, waitFor } from '@testing-library/react';
import { useStore } from 'react-redux';
import { fakeApi, page, refusal, type Call } from '../../../../test/fake-api';
import { renderPiece } from '../../../../test/render';
import { openWizard, sendableList, storedDraft, fakeDrafts } from '../../../../test/send-kit';
import { markStale } from '../../../api/live/stale-answers';
import { ListPicker } from './list-picker';
import { emptyDraft } from '../draft';

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

  it('a search that failed says so, and not that nothing matches', async () => {
    let isDown = true;
    const { user } = openWizard({
      ...answers,
      'GET /api/email-lists': (call: Call) =>
        call.query.search && isDown ? refusal(400, 'bad_request', 'Not now') : answers['GET /api/email-lists'](call),
    });
    await user.type(await screen.findByRole('searchbox', { name: 'Search lists...' }), 'far');
    expect(await screen.findByText('Your lists could not be loaded.')).toBeVisible();
    expect(screen.queryByText('No lists found matching your search')).not.toBeInTheDocument();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('checkbox', { name: /Far vendors/ })).not.toBeChecked();
    expect(screen.queryByText('Your lists could not be loaded.')).not.toBeInTheDocument();
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

describe('the rows of the lists', () => {
  /** Number of renders of checkboxes: a row creates a new icon for its checkbox in every render. */
  let draws = 0;
  function Counted() {
    draws += 1;
    return null;
  }
  let markListsStale = (): void => undefined;
  function Picker() {
    const { dispatch } = useStore();
    markListsStale = () => void dispatch(markStale([{ type: 'Lists' }]));
    return (
      <ThemeProvider
        theme={(theme: object) => ({
          ...theme,
          components: { MuiCheckbox: { defaultProps: { icon: <Counted />, checkedIcon: <Counted /> } } },
        })}
      >
        <ListPicker chosen={['l3']} onChange={() => undefined} />
      </ThemeProvider>
    );
  }

  it('are not drawn anew where another list has changed', async () => {
    let count = 1;
    fakeApi({
      'GET /api/email-lists': () =>
        page(Array.from({ length: 40 }, (_, i) => sendableList(`l${i}`, `List ${i}`, i === 7 ? count : 5))),
    });
    renderPiece(<Picker />);
    expect(await screen.findByText('1 contact')).toBeVisible();
    expect(draws).toBeGreaterThanOrEqual(40);
    draws = 0;
    count = 2;
    act(() => markListsStale());
    expect(await screen.findByText('2 contacts')).toBeVisible();
    expect(draws).toBe(1);
  });
});
