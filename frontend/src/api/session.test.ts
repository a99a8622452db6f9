import { describe, expect, it } from '@jest/globals';
import { fakeApi, refusal, signedOut, someone } from '../../test/fake-api';
import { makeStore } from '../app/store-provider';
import { client } from './client';

const { getCurrentUser, logout, login, deleteAccount, listSessions } = client.endpoints;
const again = { forceRefetch: true, subscribe: false };

describe('a user who signed out or deleted the account', () => {
  it('stays signed out, even if a request sent earlier is answered as signed in', async () => {
    const answers = [someone(), signedOut()];
    fakeApi({ 'GET /api/auth/user': () => answers.shift(), 'POST /api/auth/logout': { message: 'Bye' } });
    const store = makeStore();
    const leaving = store.dispatch(logout.initiate());
    await store.dispatch(getCurrentUser.initiate(undefined, again));
    expect(store.getState().auth.hasLoggedOut).toBe(true);
    await leaving;
    await store.dispatch(getCurrentUser.initiate(undefined, again));
    expect(store.getState().auth.hasLoggedOut).toBe(true);
  });

  it('is signed in again after a new sign-in', async () => {
    fakeApi({
      'GET /api/auth/user': someone(),
      'POST /api/auth/logout': { message: 'Bye' },
      'POST /api/auth/login': { message: 'Hi', user: someone() },
    });
    const store = makeStore();
    await store.dispatch(logout.initiate());
    await store.dispatch(login.initiate({ loginDto: { email: 'a@b.example', password: 'x' } }));
    await store.dispatch(getCurrentUser.initiate(undefined, again));
    expect(store.getState().auth.hasLoggedOut).toBe(false);
  });

  it('is signed out, even if another request finds the session ended before the deletion is answered', async () => {
    let accept = (_answer: unknown) => {};
    const accepted = new Promise((resolve) => (accept = resolve));
    const users = [someone(), signedOut()];
    fakeApi({
      'GET /api/auth/user': () => users.shift(),
      'GET /api/auth/sessions': () => refusal(401, 'unauthorized', 'Sign in'),
      'POST /api/auth/delete-account': () => accepted,
    });
    const store = makeStore();
    await store.dispatch(getCurrentUser.initiate());
    const leaving = store.dispatch(deleteAccount.initiate({ deleteAccountDto: { password: 'x' } }));
    await store.dispatch(listSessions.initiate());
    accept({ message: 'Bye' });
    await expect(leaving.unwrap()).resolves.toEqual({ message: 'Bye' });
    await store.dispatch(getCurrentUser.initiate(undefined, again));
    expect(store.getState().auth.hasLoggedOut).toBe(true);
  });

  it('leaves no data of the account when the session ended elsewhere and the deletion is refused', async () => {
    let refuse = (_answer: unknown) => {};
    const refused = new Promise((resolve) => (refuse = resolve));
    fakeApi({
      'GET /api/auth/user': () => someone(),
      'GET /api/auth/sessions': () => refusal(401, 'unauthorized', 'Sign in'),
      'POST /api/auth/delete-account': () => refused,
    });
    const store = makeStore();
    await store.dispatch(getCurrentUser.initiate());
    const leaving = store.dispatch(deleteAccount.initiate({ deleteAccountDto: { password: 'x' } }));
    await store.dispatch(listSessions.initiate());
    expect(getCurrentUser.select()(store.getState() as never).data).toBeDefined();
    refuse(refusal(503, 'unavailable', 'Later'));
    await leaving;
    expect(getCurrentUser.select()(store.getState() as never).data).toBeUndefined();
    expect(store.getState().auth.hasLoggedOut).toBe(false);
  });

  it('stays signed in when the server refuses', async () => {
    fakeApi({ 'POST /api/auth/logout': refusal(503, 'unavailable', 'Later') });
    const store = makeStore();
    await store.dispatch(logout.initiate());
    expect(store.getState().auth.hasLoggedOut).toBe(false);
  });
});
