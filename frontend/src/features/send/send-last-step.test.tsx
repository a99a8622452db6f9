import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within, fireEvent } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answer, refusal, someone, type Call } from '../../../test/fake-api';
import { fakeStream, openedStream } from '../../../test/fake-stream';
import {
  checkOf,
  excluded,
  fakeDrafts,
  nobody,
  openWizard,
  pressSend,
  storedDraft,
  write,
} from '../../../test/send-kit';
import { emptyDraft } from './draft';

/**
 * Holds back the timer that opens the history a second after a send; on a slow machine it would fire during the test.
 * @returns a function that stops holding timers back and returns the callback of the held one
 */
function holdRedirect(): () => () => void {
  const start = globalThis.setTimeout;
  const held: (() => void)[] = [];
  const spy = jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((run: () => void, ms?: number) => (ms === 1000 ? held.push(run) : start(run, ms))) as never);
  return () => {
    spy.mockRestore();
    return held.at(-1)!;
  };
}

describe('the last step of the wizard', () => {
  it('keeps the reason of a failed send on the screen, with the time to wait', async () => {
    const opened = openWizard({
      'POST /api/send-email': answer(
        { statusCode: 429, code: 'rate_limited', message: 'Too many sends at once.' },
        429,
        { 'retry-after': '90' },
      ),
    });
    await write(opened);
    await pressSend(opened);
    const alert = await within(screen.getByRole('main')).findByText(
      /^Send Failed: Too many sends at once\. You can try again in 2 minutes\.$/,
    );
    expect(alert.closest('[role=alert]')).not.toBeNull();
  });

  it('is disabled when nobody would get the email, and says why', async () => {
    const opened = openWizard({
      'POST /api/send-email/preview': { recipientCount: '0', excluded },
      'POST /api/send-email/check': nobody,
    });
    await write(opened);
    const button = within(screen.getByRole('main')).getByRole('button', { name: 'Send Email' });
    await waitFor(() => expect(button).toBeDisabled());
    expect(button).toHaveAccessibleDescription('Nobody is left to receive this email.');
  });

  it('counts again when a contact of the lists confirms meanwhile, and is then enabled', async () => {
    const restore = fakeStream();
    try {
      let recipientCount = '0';
      const opened = openWizard({
        'POST /api/send-email/preview': () => ({ recipientCount, excluded }),
        'POST /api/send-email/check': () => (recipientCount === '0' ? nobody : checkOf()),
      });
      await write(opened);
      const button = () => within(screen.getByRole('main')).getByRole('button', { name: 'Send Email' });
      await waitFor(() => expect(button()).toBeDisabled());
      const stream = await openedStream();
      recipientCount = '1';
      stream.changed('contacts', 'l1');
      await waitFor(() => expect(button()).toBeEnabled());
    } finally {
      restore();
    }
  });

  it('warns, when it is left before the answer arrives, that the email may be sent', async () => {
    const opened = openWizard({ 'POST /api/send-email': () => new Promise(() => undefined) });
    await write(opened);
    await pressSend(opened);
    void opened.router.navigate('/lists');
    const asked = within(await screen.findByRole('alertdialog', { name: 'Leave while it is being sent?' }));
    expect(asked.getByText(/leaving does not stop it/)).toBeVisible();
    expect(asked.queryByText(/Nothing has been sent/)).not.toBeInTheDocument();
  });

  it('does not call back whoever goes to another screen right after sending', async () => {
    const opened = openWizard();
    await write(opened);
    const heldRedirect = holdRedirect();
    await pressSend(opened);
    await screen.findAllByText('Email Sent Successfully!');
    const toHistory = heldRedirect();
    // Fetching the screen's code takes a while.
    void opened.router.navigate('/library');
    expect(opened.router.state.navigation.state).toBe('loading');
    await act(async () => undefined);
    toHistory();
    expect(opened.router.state.navigation.location?.pathname).not.toBe('/history');
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/library'));
  });

  it('does not call back whoever followed a link, also before the router says so', async () => {
    const opened = openWizard();
    await write(opened);
    const heldRedirect = holdRedirect();
    await pressSend(opened);
    await screen.findAllByText('Email Sent Successfully!');
    const toHistory = heldRedirect();
    const link = document.body.appendChild(document.createElement('a'));
    link.href = '/library';
    link.addEventListener('click', (event) => event.preventDefault());
    fireEvent.click(link);
    link.remove();
    toHistory();
    expect(opened.router.state.navigation.state).toBe('idle');
    expect(opened.router.state.location.pathname).toMatch(/^\/send/);
  });

  it('does not send an older text than another device saved last: it asks which version to use', async () => {
    const drafts = fakeDrafts(storedDraft({ step: 4, content: 'The rate is $95' }));
    const opened = openWizard(
      {
        'POST /api/send-email': ({ body }: Call) =>
          (body as { draftVersion: number }).draftVersion === drafts.draft?.version
            ? answer({ id: 'h1', status: 'pending', recipientCount: '1', message: 'On its way.' }, 202)
            : drafts.conflict(),
      },
      '/send/d1',
      drafts,
    );
    await screen.findByText('Step 4 of 4');
    drafts.changeElsewhere({ content: 'The rate is $60' });
    await pressSend(opened);
    const asked = within(await screen.findByRole('alertdialog', { name: 'This draft was changed elsewhere' }));
    expect(screen.queryByText('Send Failed')).not.toBeInTheDocument();
    await opened.user.click(asked.getByRole('button', { name: 'Use that version' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    await pressSend(opened);
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    expect(opened.sends().map(({ body }) => body)).toMatchObject([
      { draftVersion: 1, content: 'The rate is $95' },
      { draftVersion: drafts.draft?.version, content: 'The rate is $60' },
    ]);
  });

  it('continues without a question where the stored version is its own, by a save whose answer was lost', async () => {
    const drafts = fakeDrafts(storedDraft({ step: 3, content: 'The rate is $95' }));
    const save = drafts.answers['PUT /api/drafts/d1'];
    let lost = 0;
    const opened = openWizard(
      {
        'PUT /api/drafts/d1': (call: Call) => {
          if ((lost += 1) === 1) save(call);
          return refusal(503, 'unavailable', 'Busy');
        },
        'POST /api/send-email': ({ body }: Call) =>
          (body as { draftVersion: number }).draftVersion === drafts.draft?.version
            ? answer({ id: 'h1', status: 'pending', recipientCount: '1', message: 'On its way.' }, 202)
            : drafts.conflict(),
      },
      '/send/d1',
      drafts,
    );
    await screen.findByText('Step 3 of 4');
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    await screen.findByText('Not saved. Your text is kept on this device; we keep trying.');
    await pressSend(opened);
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(opened.sends().map(({ body }) => body)).toMatchObject([{ draftVersion: 1 }, { draftVersion: 2 }]);
  });

  it('sends also over plain http, where the browser has no crypto.randomUUID', async () => {
    const { randomUUID } = crypto;
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    try {
      const opened = openWizard();
      await write(opened);
      await pressSend(opened);
      expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
      expect(opened.sends()[0]?.headers.get('idempotency-key')).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    } finally {
      Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true });
    }
  });

  it.each([
    [
      'a limit of 0',
      {
        customDailyLimit: 0,
        entitlements: { plan: 'free', dailyLimit: 0, sentToday: 0, scheduledToday: 0, remainingToday: 0 },
      },
      /^Sending is switched off for your account: its daily limit is 0\./,
    ],
    [
      'a used-up limit',
      {
        timeZone: 'America/New_York',
        entitlements: { plan: 'free', dailyLimit: 1, sentToday: 1, scheduledToday: 0, remainingToday: 0 },
      },
      /^You have used your 1 send of today\. .* after midnight \(America\/New York\)\.$/,
    ],
  ] as const)('says what %s means, and promises no day but that of the account', async (_what, over, text) => {
    localStorage.setItem(
      'send_draft_u1',
      JSON.stringify({
        ...emptyDraft('job-post'),
        subject: 'A job',
        document: null,
        content: 'Hello',
        step: 3,
        emailListIds: ['l1'],
      }),
    );
    openWizard({ 'GET /api/auth/user': someone(over) });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByText(/tomorrow/)).not.toBeInTheDocument();
  });

  it('shows the mail as it is sent, its text part, and the preview line as an inbox does', async () => {
    const opened = openWizard({
      'POST /api/send-email/preview': {
        recipientCount: '408',
        excluded,
        html: '<html><head></head><body><p>Hello there, as sent</p></body></html>',
        text: 'Hello there, as text',
      },
    });
    await write(opened);
    const frame = await screen.findByTitle<HTMLIFrameElement>('Preview of "A job"');
    expect(frame.srcdoc).toContain('<p>Hello there, as sent</p>');
    expect(frame).toHaveAttribute('sandbox', '');
    await opened.user.click(screen.getByRole('button', { name: 'Plain text' }));
    expect(screen.getByText('Hello there, as text')).toBeVisible();
  });

  it('does not say 0 where the recipients could not be counted', async () => {
    openWizard({ 'POST /api/send-email/preview': refusal(503, 'unavailable', 'Busy') });
    const user = userEvent.setup();
    await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    expect(await screen.findByText('–')).toBeVisible();
    expect(screen.queryByText('0')).not.toBeInTheDocument();
  });
});
