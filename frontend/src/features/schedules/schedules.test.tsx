import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { answer, fakeApi, page, refusal, someone } from '../../../test/fake-api';
import { fakeStreamInEachTest } from '../../../test/fake-stream';
import { renderApp } from '../../../test/render';
import { scheduledEmail } from '../../../test/fixtures/schedule-fixtures';

fakeStreamInEachTest();

const open = (rows: unknown[], answers: Record<string, unknown> = {}, path = '/scheduled') => {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/scheduled-sends': page(rows),
    ...answers,
  });
  return { calls, ...renderApp(path) };
};
type Opened = ReturnType<typeof open>;
const choose = async ({ user }: Opened, action: string) => {
  await user.click(await screen.findByRole('button', { name: 'Actions for Java hotlist' }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
};

describe('the scheduled emails', () => {
  it('show when they leave, to whom, and why they wait', async () => {
    open([
      scheduledEmail(),
      scheduledEmail({
        id: 's2',
        subject: 'Late one',
        state: 'blocked',
        reason: 'daily_limit',
        reasonText: 'Your daily limit was used up when this was due. Choose another day.',
      }),
    ]);
    const [first, second] = await screen.findAllByRole('article');
    expect(within(first!).getByText('Wed, Dec 1, 9:00 AM CST')).toBeVisible();
    expect(first).toHaveTextContent(/about 812 recipients/);
    expect(within(first!).getByText('Scheduled')).toBeVisible();
    expect(within(first!).getByText('Java vendors')).toBeVisible();
    expect(within(second!).getByText('Needs attention')).toBeVisible();
    expect(
      within(second!).getByText('Your daily limit was used up when this was due. Choose another day.'),
    ).toBeVisible();
    const tabs = screen.getByRole('navigation', { name: 'Sends' });
    expect(within(tabs).getByRole('link', { name: 'Scheduled 2' })).toHaveAttribute('aria-current', 'page');
    expect(within(tabs).getByRole('link', { name: 'Sent' })).toHaveAttribute('href', '/history');
  });

  it('say that one which is due waits for its files', async () => {
    const reasonText = 'Resume.pdf is still being checked. Try again in a minute';
    open([scheduledEmail({ state: 'leaving', reason: 'file_not_ready', reasonText })]);
    expect(within(await screen.findByRole('article')).getByText(reasonText)).toBeVisible();
  });

  it('say that there are none, and that they could not be loaded', async () => {
    open([]);
    expect(await screen.findByText('Nothing is scheduled. Choose a time on the last step of a send.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Write an email' })).toHaveAttribute('href', '/send');
  });

  it('can be loaded again where that failed', async () => {
    let fails = true;
    const { user } = open([], {
      'GET /api/scheduled-sends': () => (fails ? refusal(503, 'unavailable', 'Busy') : page([scheduledEmail()])),
    });
    expect(await screen.findByText('Your scheduled emails could not be loaded.')).toBeVisible();
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Java hotlist')).toBeVisible();
  });

  it('are cancelled after a question that names them', async () => {
    let row = scheduledEmail();
    const opened = open([], {
      'GET /api/scheduled-sends': () => page(row.state === 'cancelled' ? [] : [row]),
      'POST /api/scheduled-sends/s1/cancel': () => (row = scheduledEmail({ state: 'cancelled', version: 2 })),
    });
    await choose(opened, 'Cancel');
    const asked = within(await screen.findByRole('alertdialog', { name: 'Cancel this email?' }));
    expect(
      asked.getByText(
        '"Java hotlist" was to leave Wed, Dec 1, 9:00 AM CST to about 812 people. Nothing will be sent. The text is kept for 30 days.',
      ),
    ).toBeVisible();
    expect(asked.getByRole('button', { name: 'Keep It' })).toHaveFocus();
    await opened.user.click(asked.getByRole('button', { name: 'Cancel Email' }));
    expect(await screen.findByText('Nothing is scheduled. Choose a time on the last step of a send.')).toBeVisible();
  });

  it('that are being sent say so instead', async () => {
    const opened = open([scheduledEmail()], {
      'POST /api/scheduled-sends/s1/cancel': refusal(
        409,
        'already_leaving',
        'This email is leaving now. You can stop it under Send History.',
      ),
    });
    await choose(opened, 'Cancel');
    await opened.user.click(await screen.findByRole('button', { name: 'Cancel Email' }));
    expect(await screen.findByText('This email is leaving now. You can stop it under Send History.')).toBeVisible();
  });

  it('are duplicated as a draft', async () => {
    const opened = open([scheduledEmail()], {
      'GET /api/scheduled-sends/s1': scheduledEmail(),
      'POST /api/drafts': answer({ id: 'd9', version: 1 }, 201),
      'GET /api/drafts/d9': refusal(404, 'not_found', 'Draft not found'),
      'GET /api/drafts': page([]),
    });
    await choose(opened, 'Duplicate');
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/send/d9'));
    expect(opened.calls.find(({ method, path }) => method === 'POST' && path === '/api/drafts')?.body).toEqual({
      emailListIds: ['l1'],
      emailType: 'job-post',
      subject: 'Java hotlist',
      content: 'Hello there',
      step: 1,
    });
  });
});
