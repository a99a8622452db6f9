import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { refusal } from '../../../../test/fake-api';
import { fakeDrafts, openWizard, storedDraft } from '../../../../test/send-kit';

/** A BroadcastChannel between the windows of one browser, which jsdom does not have. */
class FakeChannel extends EventTarget {
  static all = new Set<FakeChannel>();
  onmessage: ((event: MessageEvent) => void) | null = null;

  constructor(readonly name: string) {
    super();
    FakeChannel.all.add(this);
  }

  postMessage(data: unknown) {
    for (const other of FakeChannel.all)
      if (other !== this && other.name === this.name) other.onmessage?.(new MessageEvent('message', { data }));
  }

  close() {
    FakeChannel.all.delete(this);
  }
}

describe('a draft in two windows', () => {
  beforeEach(() => void Object.assign(globalThis, { BroadcastChannel: FakeChannel }));
  afterEach(() => {
    FakeChannel.all.clear();
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  });
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
});
