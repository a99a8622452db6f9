import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { electLeader } from './leader';

/** jsdom has no Web Locks, like a page by plain http: the lease in localStorage decides. */
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function tab() {
  const closing = new AbortController();
  const state = { leads: false };
  electLeader('changes', closing.signal, (leading) => {
    state.leads = true;
    leading.addEventListener('abort', () => (state.leads = false));
  });
  return { state, close: () => closing.abort() };
}

describe('tabs in a browser without Web Locks', () => {
  it('have one leader; when it is closed, another tab leads', async () => {
    const tabs = [tab(), tab(), tab()];
    const leaders = () => tabs.filter(({ state }) => state.leads);
    await jest.advanceTimersByTimeAsync(3000);
    expect(leaders()).toHaveLength(1);
    const [first] = leaders();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(leaders()).toEqual([first]);
    first!.close();
    expect(leaders()).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(3000);
    expect(leaders()).toHaveLength(1);
    tabs.forEach(({ close }) => close());
  });

  it('replace a leader that ended without notice once its lease has expired', async () => {
    localStorage.setItem('lease_changes', JSON.stringify({ holder: 'crashed', until: Date.now() + 4000 }));
    const { state, close } = tab();
    await jest.advanceTimersByTimeAsync(3000);
    expect(state.leads).toBe(false);
    await jest.advanceTimersByTimeAsync(3000);
    expect(state.leads).toBe(true);
    close();
    expect(localStorage.getItem('lease_changes')).toBeNull();
  });
});
