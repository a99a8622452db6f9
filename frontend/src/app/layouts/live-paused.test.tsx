import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { fakeApi, page, someone } from '../../../test/fake-api';
import { FakeSource, fakeStreamInEachTest, openedStream } from '../../../test/fake-stream';
import { contact, list } from '../../../test/fixtures/live-fixtures';
import { renderApp } from '../../../test/render';

fakeStreamInEachTest();

/** A proxy that blocks every stream. */
class Refused extends FakeSource {
  override dispatchEvent(event: Event) {
    return super.dispatchEvent(event.type === 'open' ? new Event('error') : event);
  }
}

const lists = () => screen.findByRole('link', { name: 'Email Lists' });

describe('while the stream of changes is paused', () => {
  it('each screen is refetched when it is opened, a line says so, and Refresh refetches what is shown', async () => {
    let confirmed = false;
    const calls = fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-lists': page([list]),
      'GET /api/email-lists/l1': { ...list, contactCount: 0 },
      'GET /api/email-lists/l1/subscribers': () => page([contact({ confirmed })]),
    });
    const { user, router } = renderApp('/lists/l1');
    expect(await screen.findByText('Pending')).toBeVisible();
    const stream = await openedStream();
    expect(screen.queryByText(/Live updates are paused/)).not.toBeInTheDocument();
    Object.assign(globalThis, { EventSource: Refused });
    stream.break();
    expect(await screen.findByText(/Live updates are paused/)).toHaveAttribute('role', 'status');
    await user.click(await lists());
    expect(await screen.findByText('Java vendors')).toBeVisible();
    confirmed = true;
    await act(() => router.navigate('/lists/l1'));
    expect(await screen.findByText('Confirmed')).toBeVisible();
    confirmed = false;
    const before = calls.length;
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByText('Pending')).toBeVisible();
    expect(calls.length).toBeGreaterThan(before);
    Object.assign(globalThis, { EventSource: FakeSource });
    globalThis.dispatchEvent(new Event('online'));
    await waitFor(() => expect(screen.queryByText(/Live updates are paused/)).not.toBeInTheDocument());
  });
});
