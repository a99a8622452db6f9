import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { answer, refusal } from '../../../../test/fake-api';
import { checkOf, fakeDrafts, nobody, openWizard, pressSend, storedDraft } from '../../../../test/send-kit';

const CHECK_CALL = 'POST /api/send-email/check';
const openLast = (check: unknown) =>
  openWizard({ [CHECK_CALL]: check }, '/send/d1', fakeDrafts(storedDraft({ step: 4, content: 'Hello' })));
const button = () => within(screen.getByRole('main')).getByRole('button', { name: /^(Send|Schedule) Email$/ });
const asked = () => screen.findByRole('alertdialog', { name: 'Send anyway?' });

/** An answer that is sent when the test releases it. */
function held() {
  let answerNow: (check: unknown) => void = () => undefined;
  const given = new Promise((done) => (answerNow = done));
  return { check: () => given.then((check) => (check instanceof Response ? check : answer(check))), answerNow };
}

describe('the press of Send', () => {
  it('is disabled by rows to fix and by nothing else; the reason stands under the button', async () => {
    openLast(
      checkOf([
        { code: 'tag_in_link', level: 'error', text: 'A link holds a merge tag.' },
        { code: 'blanks', level: 'warning', text: 'One blank is not filled in yet.' },
        { code: 'tested', level: 'hint', text: 'Not tested since the last change.' },
      ]),
    );
    await waitFor(() => expect(button()).toBeDisabled());
    expect(button()).toHaveAccessibleDescription('A link holds a merge tag.');
  });

  it('sends where rows are only worth a look', async () => {
    const opened = openLast(checkOf([{ code: 'blanks', level: 'warning', text: 'One blank.' }]));
    await screen.findByText('Worth a look (1)');
    await pressSend(opened);
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it('waits, busy, for the recipients to be counted, and then sends once', async () => {
    const { check, answerNow } = held();
    const opened = openLast(check);
    await screen.findByText('Step 4 of 4');
    await pressSend(opened);
    expect(button()).toHaveAttribute('aria-busy', 'true');
    expect(opened.sends()).toHaveLength(0);
    await act(async () => answerNow(checkOf()));
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    expect(opened.sends()).toHaveLength(1);
  });

  it('sends nothing where the answer it waited for has something to fix', async () => {
    const { check, answerNow } = held();
    const opened = openLast(check);
    await screen.findByText('Step 4 of 4');
    await pressSend(opened);
    await act(async () => answerNow(nobody));
    await waitFor(() => expect(button()).toBeDisabled());
    expect(button()).toHaveAccessibleDescription('Nobody is left to receive this email.');
    expect(opened.sends()).toHaveLength(0);
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });

  it.each([
    ['were not counted in time', checkOf([], { forecast: null })],
    ['could not be counted', refusal(503, 'unavailable', 'Busy')],
  ])('asks where the recipients %s, and sends only then', async (_what, check) => {
    const opened = openLast(check);
    await screen.findAllByText(/could not be (?:counted|made)\.$/);
    await pressSend(opened);
    const dialog = within(await asked());
    expect(dialog.getByText('The number of recipients could not be counted. Send anyway?')).toBeVisible();
    await opened.user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(opened.sends()).toHaveLength(0);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    await pressSend(opened);
    await opened.user.click(within(await asked()).getByRole('button', { name: 'Send anyway' }));
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    expect(opened.sends()).toHaveLength(1);
  });

  it('asks where no answer comes within 8 seconds', async () => {
    const opened = openLast(() => new Promise(() => undefined));
    await screen.findByText('Step 4 of 4');
    jest.useFakeTimers({ advanceTimers: true });
    try {
      act(() => button().click());
      await act(() => jest.advanceTimersByTimeAsync(7_000));
      expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
      await act(() => jest.advanceTimersByTimeAsync(1_500));
      expect(await asked()).toBeVisible();
      expect(opened.sends()).toHaveLength(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is forgotten where another time is chosen while it waits', async () => {
    const { check, answerNow } = held();
    const opened = openLast(check);
    await screen.findByText('Step 4 of 4');
    await pressSend(opened);
    await opened.user.click(screen.getByRole('radio', { name: 'At a set time' }));
    await act(async () => answerNow(checkOf()));
    expect(button()).toHaveTextContent('Schedule Email');
    expect(opened.calls.filter(({ path }) => path === '/api/scheduled-sends')).toHaveLength(0);
    expect(opened.sends()).toHaveLength(0);
  });

  it('is not held up by a warning about the sender: the server has the last word', async () => {
    const opened = openWizard(
      { 'POST /api/send-email': refusal(403, 'email_unverified', 'Verify your email address first') },
      '/send/d1',
      fakeDrafts(storedDraft({ step: 4, content: 'Hello' })),
    );
    await screen.findByText('Step 4 of 4');
    await pressSend(opened);
    expect((await screen.findAllByText(/Verify your email address first/)).length).toBeGreaterThan(0);
    expect(button()).toBeEnabled();
  });
});
