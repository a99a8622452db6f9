import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { answer, type Call, refusal, signedOut, someone } from '../../../test/fake-api';
import { fakeDrafts, openWizard, pressSend, storedDraft, write } from '../../../test/send-kit';
import { emptyDraft } from './draft';

const keepCopy = (over: Record<string, unknown> = {}) =>
  localStorage.setItem(
    'send_draft_u1',
    JSON.stringify({ ...emptyDraft('job-post'), subject: 'Half written', step: 1, emailListIds: ['l2'], ...over }),
  );
const copy = () => JSON.parse(localStorage.getItem('send_draft_u1') ?? 'null') as { subject: string } | null;
const plain = { document: null, content: 'Hello there' };

describe('a draft', () => {
  it('begins with the first change, then has its own address, and is saved automatically', async () => {
    const opened = openWizard();
    await write(opened);
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/send/d1'));
    expect(screen.getByText('Step 4 of 4')).toBeVisible();
    await waitFor(() =>
      expect(opened.drafts.draft).toMatchObject({ subject: 'A job', content: 'Hello there', step: 4 }),
    );
    expect(await screen.findByText(/^Saved \d/)).toBeVisible();
    expect(copy()).toBeNull();
    expect(opened.saves().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('is opened by its address, at its last step', async () => {
    openWizard({}, '/send/d1', fakeDrafts(storedDraft()));
    expect(await screen.findByLabelText('Subject line')).toHaveValue('Half written');
    expect(screen.getByText('Step 2 of 4')).toBeVisible();
  });

  it('is offered above a new email', async () => {
    const opened = openWizard({}, '/send', fakeDrafts(storedDraft({ updatedAt: new Date().toISOString() })));
    expect(
      await screen.findByText(
        /^You have 1 draft\. The last: "Half written", less than a minute ago on Safari, iPhone\.$/,
      ),
    ).toBeVisible();
    await opened.user.click(screen.getByRole('link', { name: 'Continue' }));
    expect(await screen.findByLabelText('Subject line')).toHaveValue('Half written');
  });

  it('that only this device has is uploaded once', async () => {
    keepCopy();
    const opened = openWizard();
    expect(await screen.findByText('Draft restored.')).toBeVisible();
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/send/d1'));
    expect(opened.drafts.draft).toMatchObject({ subject: 'Half written', emailListIds: ['l2'] });
    await waitFor(() => expect(copy()).toBeNull());
  });

  it('can be discarded', async () => {
    keepCopy();
    const opened = openWizard();
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/send/d1'));
    await opened.user.click(await screen.findByRole('button', { name: 'Start over' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Discard draft' }));
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/send'));
    expect(await screen.findByText('Step 1 of 4')).toBeVisible();
    expect(opened.drafts.draft).toBeUndefined();
  });

  it('can be discarded while its first save is under way: the server then has no draft either', async () => {
    keepCopy();
    const drafts = fakeDrafts();
    let answerSave = (): void => undefined;
    const opened = openWizard(
      {
        'POST /api/drafts': (call: Call) =>
          new Promise((done) => (answerSave = () => done(drafts.answers['POST /api/drafts'](call)))),
      },
      '/send',
      drafts,
    );
    await waitFor(() => expect(opened.saves()).toHaveLength(1));
    await opened.user.click(await screen.findByRole('button', { name: 'Start over' }));
    await opened.user.click(await screen.findByRole('button', { name: 'Discard draft' }));
    answerSave();
    await waitFor(() => expect(opened.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
    expect(drafts.draft).toBeUndefined();
  });

  it('is kept on this device while the server does not answer, and uploaded later', async () => {
    let isDown = true;
    const drafts = fakeDrafts(storedDraft());
    const save = drafts.answers['PUT /api/drafts/d1'];
    const opened = openWizard(
      {
        'PUT /api/drafts/d1': (call: never) => (isDown ? refusal(503, 'unavailable', 'Busy') : save(call)),
      },
      '/send/d1',
      drafts,
    );
    await opened.user.type(await screen.findByLabelText('Subject line'), '!');
    expect(await screen.findByText('Not saved. Your text is kept on this device; we keep trying.')).toBeVisible();
    expect(copy()?.subject).toBe('Half written!');
    isDown = false;
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(drafts.draft?.subject).toBe('Half written!'));
    await waitFor(() => expect(copy()).toBeNull());
  });

  it('asks before it is left unsaved, and no longer once the server has it', async () => {
    let isDown = true;
    const drafts = fakeDrafts(storedDraft());
    const save = drafts.answers['PUT /api/drafts/d1'];
    const opened = openWizard(
      { 'PUT /api/drafts/d1': (call: never) => (isDown ? refusal(503, 'unavailable', 'Busy') : save(call)) },
      '/send/d1',
      drafts,
    );
    await opened.user.type(await screen.findByLabelText('Subject line'), '!');
    const nav = screen.getByRole('navigation', { name: 'Main' });
    await opened.user.click(within(nav).getByRole('link', { name: 'Email Lists' }));
    const asked = within(await screen.findByRole('alertdialog'));
    expect(asked.getByText('Nothing has been sent. The draft is in your Library.')).toBeVisible();
    await opened.user.click(asked.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/lists'));
    // The saver keeps trying after its screen was left, and would otherwise overwrite the draft of the next test.
    isDown = false;
    await waitFor(() => expect(drafts.draft?.subject).toBe('Half written!'));
  });

  it('that is saved is left without a question', async () => {
    const opened = openWizard({}, '/send/d1', fakeDrafts(storedDraft()));
    await screen.findByLabelText('Subject line');
    const nav = screen.getByRole('navigation', { name: 'Main' });
    await opened.user.click(within(nav).getByRole('link', { name: 'Email Lists' }));
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/lists'));
  });

  it('that was deleted is not found, and one that was sent leads to the send', async () => {
    openWizard({ 'GET /api/drafts/d1': refusal(404, 'not_found', 'Draft not found') }, '/send/d1');
    expect(await screen.findByText('404 Page Not Found')).toBeVisible();
  });

  it('that was sent elsewhere says so', async () => {
    const gone = answer(
      {
        statusCode: 410,
        code: 'draft_sent',
        message: 'x',
        details: { sendId: 'h7', sentAt: '2026-01-05T10:45:00.000Z' },
      },
      410,
    );
    // An id of its own, because unsaved drafts of earlier tests are still being retried for a while.
    const opened = openWizard({ 'GET /api/drafts/d9': gone }, '/send/d9');
    expect(await screen.findByText('This draft was sent at 10:45 AM.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the send' })).toHaveAttribute('href', '/history/h7');
    expect(opened.saves().filter(({ path }) => path.includes('d9'))).toHaveLength(0);
  });

  it('is sent with its id, once, and is not created again by input before the history opens', async () => {
    const opened = openWizard();
    await write(opened, 'Rate: [[rate]');
    const edit = await screen.findByRole('button', { name: 'Show' });
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/send/d1'));
    await pressSend(opened);
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    expect(opened.sends()[0]?.body).toMatchObject({ draftId: 'd1', draftVersion: opened.drafts.draft?.version });
    expect(edit).toBeDisabled();
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/history'));
    expect(copy()).toBeNull();
  });

  it('is sent without deleting what another window has written meanwhile', async () => {
    let accept = (): void => undefined;
    const accepted = answer({ id: 'h1', status: 'pending', recipientCount: '1', message: 'On its way.' }, 202);
    const opened = openWizard({
      'POST /api/send-email': () => new Promise((done) => (accept = () => done(accepted))),
    });
    await write(opened);
    await waitFor(() => expect(copy()).toBeNull());
    await pressSend(opened);
    await waitFor(() => expect(opened.sends()).toHaveLength(1));
    keepCopy({ subject: 'The next one' });
    accept();
    expect(await screen.findByText('Email Sent Successfully!')).toBeVisible();
    expect(copy()).toMatchObject({ subject: 'The next one' });
  });

  it('that is unsaved at sign-out is discarded after a warning', async () => {
    let isIn = true;
    const opened = openWizard(
      {
        'GET /api/auth/user': () => (isIn ? someone() : signedOut()),
        'PUT /api/drafts/d1': refusal(503, 'unavailable', 'Busy'),
        'POST /api/auth/logout': () => {
          isIn = false;
          return { message: 'Bye' };
        },
      },
      '/send/d1',
      fakeDrafts(storedDraft()),
    );
    await opened.user.type(await screen.findByLabelText('Subject line'), '!');
    await screen.findByText(/^Not saved\./);
    await opened.user.click(screen.getByRole('button', { name: 'Logout' }));
    expect(await screen.findByText('Your unsent draft "Half written!" is discarded.')).toBeVisible();
    await opened.user.click(screen.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(copy()).toBeNull());
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  });

  it('keeps a subject that is too long, shows its length, and blocks Next', async () => {
    const { user } = openWizard({}, '/send/d1', fakeDrafts(storedDraft()));
    const subject = await screen.findByLabelText('Subject line');
    await user.clear(subject);
    await user.click(subject);
    await user.paste('x'.repeat(300));
    expect((subject as HTMLInputElement).value).toHaveLength(300);
    expect(screen.getByText('Too long by 45 characters: at most 255')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
  });

  it('keeps a text that is too long, shows its length, and blocks Next', async () => {
    const { user } = openWizard({}, '/send/d1', fakeDrafts(storedDraft({ step: 3, ...plain })));
    const content = await screen.findByLabelText('Email content');
    await user.click(content);
    await user.clear(content);
    await user.paste('x'.repeat(100_007));
    expect((content as HTMLTextAreaElement).value).toHaveLength(100_007);
    expect(screen.getByText('Too long by 7 characters: at most 100,000')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
  });
});

describe('a draft that was changed elsewhere', () => {
  const conflict = async () => {
    const drafts = fakeDrafts(storedDraft());
    const opened = openWizard({}, '/send/d1', drafts);
    const subject = await screen.findByLabelText('Subject line');
    drafts.changeElsewhere({ subject: 'Theirs' });
    await opened.user.type(subject, '!');
    const asked = within(await screen.findByRole('alertdialog', { name: 'This draft was changed elsewhere' }));
    expect(asked.getByText('at 10:42 AM on Safari, iPhone.')).toBeVisible();
    expect(screen.getByText('Not saved: choose a version')).toBeInTheDocument();
    expect(drafts.draft?.subject).toBe('Theirs');
    const choose = async (name: string) => {
      await opened.user.click(asked.getByRole('button', { name }));
      await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
    };
    return { opened, drafts, choose };
  };

  it('can be replaced by the other version', async () => {
    const { choose, drafts } = await conflict();
    await choose('Use that version');
    expect(screen.getByLabelText('Subject line')).toHaveValue('Theirs');
    expect(drafts.draft?.subject).toBe('Theirs');
  });

  it('can be kept in this version', async () => {
    const { choose, drafts } = await conflict();
    await choose('Keep mine');
    await waitFor(() => expect(drafts.draft?.subject).toBe('Half written!'));
    expect(screen.getByLabelText('Subject line')).toHaveValue('Half written!');
  });

  it('can be kept as two drafts', async () => {
    const { choose, opened } = await conflict();
    await choose('Keep both');
    await waitFor(() => expect(opened.router.state.location.pathname).toBe('/send/d2'));
    expect(screen.getByLabelText('Subject line')).toHaveValue('Half written! (my copy)');
  });

  it('while this device was offline asks when it is opened', async () => {
    keepCopy({ draftId: 'd1', version: 1, subject: 'Mine' });
    const drafts = fakeDrafts(storedDraft({ version: 3, subject: 'Theirs' }));
    openWizard({}, '/send', drafts);
    await screen.findByRole('alertdialog', { name: 'This draft was changed elsewhere' });
    expect(drafts.draft?.subject).toBe('Theirs');
    expect(copy()?.subject).toBe('Mine');
  });

  it('continues without a question where only this device has changed it', async () => {
    keepCopy({ draftId: 'd1', version: 3, subject: 'Mine' });
    const drafts = fakeDrafts(storedDraft({ version: 3, subject: 'Before' }));
    openWizard({}, '/send', drafts);
    expect(await screen.findByLabelText('Subject line')).toHaveValue('Mine');
    await waitFor(() => expect(drafts.draft?.subject).toBe('Mine'));
  });
});
