import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { type Call, refusal, signedOut, someone } from '../../../../test/fake-api';
import { FakeChannel, fakeChannelInEachTest } from '../../../../test/fake-channel';
import { fakeDrafts, type OpenedWizard, openWizard, storedDraft } from '../../../../test/send-kit';
import type { CurrentUser } from '../../../api/session';

const dana = someone();
const ravi = someone({ id: 'u2', email: 'ravi@vendor.example', firstName: 'Ravi' });
const copyOf = ({ id }: CurrentUser) => localStorage.getItem(`send_draft_${id}`);

/** The wizard on a server that takes whatever the signed-in user saves. */
function open(path = '/send', drafts = fakeDrafts(), answers: Record<string, unknown> = {}) {
  const server: { user: CurrentUser | null } = { user: dana };
  const signedIn = (found: unknown) => (call: Call) =>
    server.user ? (typeof found === 'function' ? (found as (call: Call) => unknown)(call) : found) : signedOut();
  const own = Object.entries({ ...drafts.answers, ...answers }).map(([name, found]) => [name, signedIn(found)]);
  const opened = openWizard(
    {
      ...(Object.fromEntries(own) as Record<string, unknown>),
      'GET /api/auth/user': () => server.user ?? signedOut(),
      'POST /api/auth/login': ({ body }: Call) => {
        server.user = (body as { email: string }).email === dana.email ? dana : ravi;
        return { message: 'Welcome', user: server.user };
      },
      'POST /api/auth/logout': () => {
        server.user = null;
        return { message: 'Bye' };
      },
    },
    path,
    drafts,
  );
  return { opened, server, drafts };
}

const signedOutScreen = () => screen.findByRole('heading', { level: 1, name: 'Sign in' });
async function signIn({ user }: OpenedWizard, { email }: CurrentUser) {
  await user.type(await screen.findByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  await screen.findByText(/^Step \d of 4$/);
}
/** Longer than the first pauses between retries. */
const passTime = () => act(() => jest.advanceTimersByTimeAsync(20_000));

/** Ends the session with the first save of a new email. */
async function loseFirstSave() {
  const stood = open();
  const list = await screen.findByRole('checkbox', { name: /Java vendors/ });
  stood.server.user = null;
  await stood.opened.user.click(list);
  await stood.opened.user.click(screen.getByRole('button', { name: 'Next' }));
  await signedOutScreen();
  expect(stood.opened.saves()).toHaveLength(1);
  return stood;
}

describe('a draft whose session has ended', () => {
  fakeChannelInEachTest();
  beforeEach(() => void jest.useFakeTimers({ advanceTimers: true }));
  afterEach(() => void jest.useRealTimers());

  it('is not saved again while nobody is signed in, nor for another user who signs in on the page', async () => {
    const { opened, drafts } = await loseFirstSave();
    await passTime();
    expect(opened.saves()).toHaveLength(1);
    await signIn(opened, ravi);
    await passTime();
    expect(opened.saves()).toHaveLength(1);
    expect(drafts.draft).toBeUndefined();
    expect(copyOf(dana)).toContain('l1');
    expect(copyOf(ravi)).toBeNull();
  });

  it('is offered to its user after the next sign-in, and is then saved once', async () => {
    const { opened, drafts } = await loseFirstSave();
    await signIn(opened, dana);
    expect(await screen.findByText('Draft restored.')).toBeVisible();
    await waitFor(() => expect(drafts.draft).toMatchObject({ emailListIds: ['l1'] }));
    await passTime();
    expect(opened.saves().filter(({ method }) => method === 'POST')).toHaveLength(2);
    await waitFor(() => expect(copyOf(dana)).toBeNull());
  });

  it('is not saved for another user who signed in in another tab while a save was running', async () => {
    let fail = (): void => undefined;
    const { opened, server } = open('/send', fakeDrafts(), {
      'POST /api/drafts': () => new Promise((done) => (fail = () => done(refusal(503, 'unavailable', 'Busy')))),
    });
    await opened.user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(opened.saves()).toHaveLength(1));
    server.user = ravi;
    act(() => new FakeChannel('session').postMessage(JSON.stringify(ravi)));
    expect(await screen.findByText('Step 1 of 4')).toBeVisible();
    fail();
    await passTime();
    expect(opened.saves()).toHaveLength(1);
    expect(copyOf(ravi)).toBeNull();
  });

  it('names its user with every save, so that the server refuses it if another user has just signed in', async () => {
    const { opened } = open();
    await opened.user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
    await opened.user.click(screen.getByRole('button', { name: 'Next' }));
    await opened.user.type(screen.getByLabelText('Subject line'), 'A job');
    await waitFor(() => expect(opened.saves().map(({ method }) => method)).toEqual(['POST', 'PUT']));
    expect(opened.saves().map(({ headers }) => headers.get('x-acting-user'))).toEqual([dana.id, dana.id]);
  });

  it('is not saved after its user signed out', async () => {
    const { opened } = open('/send/d1', fakeDrafts(storedDraft()), {
      'PUT /api/drafts/d1': () => refusal(503, 'unavailable', 'Busy'),
    });
    await opened.user.type(await screen.findByLabelText('Subject line'), '!');
    await screen.findByText(/^Not saved\./);
    await opened.user.click(screen.getByRole('button', { name: 'Logout' }));
    await screen.findByText('Your unsent draft "Half written!" is discarded.');
    await opened.user.click(screen.getByRole('button', { name: 'Logout' }));
    await signedOutScreen();
    await passTime();
    const signOut = opened.calls.findIndex(({ path }) => path === '/api/auth/logout');
    const later = opened.calls.slice(signOut + 1).filter(({ path }) => path === '/api/drafts/d1');
    expect(signOut).toBeGreaterThan(0);
    expect(later).toEqual([]);
    expect(copyOf(dana)).toBeNull();
  });
});
