import { describe, expect, it, jest } from '@jest/globals';
import type { Editor } from '@tiptap/core';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { refusal } from '../../../../test/fake-api';
import { FakeChannel, fakeChannelInEachTest } from '../../../../test/fake-channel';
import { fakeDrafts, openWizard, storedDraft } from '../../../../test/send-kit';
import { documentFromText } from '../../../ui/editor/document';

describe('a draft in two windows', () => {
  fakeChannelInEachTest();
  const say = (said: Record<string, unknown>) =>
    act(() => new FakeChannel('staffcast_drafts').postMessage({ draftId: 'd1', from: 'other window', ...said }));

  it('says that it is open in another one, and follows what is saved there', async () => {
    const drafts = fakeDrafts(storedDraft());
    openWizard({}, '/send/d1', drafts);
    await screen.findByLabelText('Subject line');
    say({ kind: 'here' });
    expect(await screen.findByText('This draft is open in another window.')).toBeVisible();
    drafts.changeElsewhere({ subject: 'Written there' });
    say({ kind: 'saved', version: 2, updatedAt: '2026-01-05T10:43:00.000Z' });
    expect(await screen.findByText('This draft was changed in another window. You see it as it is now.')).toBeVisible();
    expect(screen.getByLabelText('Subject line')).toHaveValue('Written there');
    say({ kind: 'closed' });
    await waitFor(() => expect(screen.queryByText(/is open in another window/)).not.toBeInTheDocument());
  });

  it('asks at once where both have changed it', async () => {
    openWizard({}, '/send/d1', fakeDrafts(storedDraft()));
    const subject = await screen.findByLabelText('Subject line');
    // Changes the field at once, because typing has pauses in which this window would save the change first.
    fireEvent.change(subject, { target: { value: 'Written here' } });
    say({ kind: 'saved', version: 2, updatedAt: '2026-01-05T10:43:00.000Z' });
    expect(await screen.findByRole('alertdialog', { name: 'This draft was changed elsewhere' })).toBeVisible();
  });

  it('asks where it was changed here while the save of the other one was loading', async () => {
    const drafts = fakeDrafts(storedDraft());
    const loads: (() => void)[] = [];
    let isSlow = false;
    openWizard(
      {
        'GET /api/drafts/d1': () =>
          isSlow ? new Promise((done) => loads.push(() => done(drafts.draft))) : drafts.draft,
      },
      '/send/d1',
      drafts,
    );
    const subject = await screen.findByLabelText('Subject line');
    drafts.changeElsewhere({ subject: 'Written there' });
    isSlow = true;
    say({ kind: 'saved', version: 2, updatedAt: '2026-01-05T10:43:00.000Z' });
    await waitFor(() => expect(loads).toHaveLength(1));
    fireEvent.change(subject, { target: { value: 'Written here' } });
    isSlow = false;
    loads[0]!();
    expect(await screen.findByRole('alertdialog', { name: 'This draft was changed elsewhere' })).toBeVisible();
    expect(subject).toHaveValue('Written here');
    expect(localStorage.getItem('send_draft_u1')).toContain('Written here');
  });

  it('stays as it is where the save of the other one cannot be loaded', async () => {
    let isDown = false;
    const drafts = fakeDrafts(storedDraft());
    const { calls } = openWizard(
      { 'GET /api/drafts/d1': () => (isDown ? refusal(503, 'unavailable', 'Busy') : drafts.draft) },
      '/send/d1',
      drafts,
    );
    const subject = await screen.findByLabelText('Subject line');
    const loads = () => calls.filter(({ method, path }) => method === 'GET' && path === '/api/drafts/d1').length;
    const before = loads();
    isDown = true;
    drafts.changeElsewhere({ subject: 'Written there' });
    say({ kind: 'saved', version: 2, updatedAt: '2026-01-05T10:43:00.000Z' });
    await waitFor(() => expect(loads()).toBeGreaterThan(before));
    expect(subject).toHaveValue('Half written');
    fireEvent.change(subject, { target: { value: 'Written here' } });
    expect(await screen.findByRole('alertdialog', { name: 'This draft was changed elsewhere' })).toBeVisible();
  });

  describe('of which one has keys that the editor has not reported yet', () => {
    const QUESTION = { name: 'This draft was changed elsewhere' };
    /** The text is changed here, and at once a save of the other window is reported. */
    const typeAndFollow = async (between?: () => void) => {
      const stored = storedDraft({ step: 3, document: documentFromText('Hello. ') as never });
      const drafts = fakeDrafts(stored);
      const { user } = openWizard({}, '/send/d1', drafts);
      const field = await screen.findByRole('textbox', { name: 'Email content' });
      drafts.changeElsewhere({ document: documentFromText('Written there') });
      act(() => {
        (field as HTMLElement & { editor: Editor }).editor.commands.insertContentAt(1, 'Written here');
        between?.();
        say({ kind: 'saved', version: 2, updatedAt: '2026-01-05T10:43:00.000Z' });
      });
      await screen.findByRole('alertdialog', QUESTION);
      expect(field).toHaveTextContent('Written here');
      const choose = async (label: string) => {
        await user.click(screen.getByRole('button', { name: label }));
        await waitFor(() => expect(screen.queryByRole('alertdialog', QUESTION)).not.toBeInTheDocument());
      };
      return { drafts, field, choose };
    };
    const textOf = ({ draft }: ReturnType<typeof fakeDrafts>) => JSON.stringify(draft?.document);

    it('asks, and saves them where this version is kept', async () => {
      const { drafts, choose } = await typeAndFollow();
      await choose('Keep mine');
      await waitFor(() => expect(textOf(drafts)).toContain('Written here'));
    });

    it('asks, and does not put them into the other version where that is used', async () => {
      const { drafts, choose, field } = await typeAndFollow();
      await choose('Use that version');
      await waitFor(() => expect(field).toHaveTextContent('Written there'));
      expect(textOf(drafts)).toContain('Written there');
      expect(field).not.toHaveTextContent('Written here');
    });

    it('asks where they are reported, but not rendered yet', async () => {
      jest.useFakeTimers({ advanceTimers: true });
      try {
        const { drafts, choose } = await typeAndFollow(() => jest.advanceTimersByTime(200));
        await choose('Keep mine');
        await waitFor(() => expect(textOf(drafts)).toContain('Written here'));
      } finally {
        jest.useRealTimers();
      }
    });
  });
});
