import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { fakeApi, page, someone } from '../../../test/fake-api';
import { fakeStreamInEachTest } from '../../../test/fake-stream';
import { item } from '../../../test/fixtures/history-fixtures';
import { renderApp } from '../../../test/render';

fakeStreamInEachTest();

describe('the history', () => {
  it('says that nothing was sent, or that nothing matches', async () => {
    fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/email-history': page([]) });
    const { user } = renderApp('/history');
    expect(await screen.findByText('No emails sent yet. Send your first email to get started!')).toBeVisible();
    await user.click(screen.getByRole('combobox', { name: 'Type' }));
    await user.click(await screen.findByRole('option', { name: 'Candidate Lists' }));
    expect(await screen.findByText('No history found matching your criteria')).toBeVisible();
  });

  it('filters by type and subject on the server and opens an entry', async () => {
    const calls = fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/email-history': page([item()]) });
    const { user } = renderApp('/history');
    expect(await screen.findByText('1,240 delivered, 4 failed')).toBeVisible();
    expect(screen.getByText('100 recipients')).toBeVisible();
    expect(screen.getByRole('article')).toHaveTextContent(/100 recipients, \w/);
    expect(screen.getByRole('article')).not.toHaveTextContent('·');
    expect(screen.getByRole('link', { name: 'View A job' })).toHaveAttribute('href', '/history/h1');
    await user.click(screen.getByRole('combobox', { name: 'Type' }));
    await user.click(await screen.findByRole('option', { name: 'Job Posts' }));
    await user.type(screen.getByRole('searchbox', { name: 'Search by subject...' }), 'java');
    await waitFor(() =>
      expect(calls.at(-1)?.query).toEqual({ limit: '25', search: 'java', type: 'job-post', outcome: 'true' }),
    );
  });

  it('counts messages without a final reply separately from delivered ones', async () => {
    const outcome = { sent: 120, unconfirmed: 3, failed: 1, bounced: 0 };
    fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/email-history': page([item({ outcome })]) });
    renderApp('/history');
    expect(await screen.findByText('117 delivered, 3 unconfirmed, 1 failed')).toBeVisible();
  });
});

describe('the filters of the history', () => {
  it('find cancelled sends, which Sent excludes', async () => {
    const calls = fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/email-history': page([]) });
    const { user } = renderApp('/history');
    await user.click(await screen.findByRole('combobox', { name: 'Status' }));
    await user.click(await screen.findByRole('option', { name: 'Cancelled' }));
    await waitFor(() => expect(calls.at(-1)?.query).toMatchObject({ status: 'cancelled' }));
  });

  it('are sent to the server as status, days and order, and are in the address', async () => {
    const calls = fakeApi({
      'GET /api/auth/user': someone(),
      'GET /api/email-history': page([item({ lists: ['Java vendors', '.NET', 'QA', 'Bench'] })]),
    });
    const { user, router } = renderApp('/history?from=2026-01-01');
    expect(await screen.findByText('To Java vendors, .NET, QA and 1 more')).toBeVisible();
    const choose = async (name: string, option: string) => {
      await user.click(screen.getByRole('combobox', { name }));
      await user.click(await screen.findByRole('option', { name: option }));
    };
    await choose('Status', 'Failed');
    await choose('Order', 'Most recipients');
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-01-31' } });
    await waitFor(() =>
      expect(calls.at(-1)?.query).toEqual({
        limit: '25',
        outcome: 'true',
        status: 'failed',
        sort: '-recipients',
        from: '2026-01-01',
        to: '2026-01-31',
      }),
    );
    expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({
      status: 'failed',
      sort: '-recipients',
      from: '2026-01-01',
      to: '2026-01-31',
    });
    await user.click(await screen.findByRole('link', { name: 'Clear filters' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
    expect(screen.getByLabelText('From')).toHaveValue('');
  });

  it('ignore invalid values in the address', async () => {
    const calls = fakeApi({ 'GET /api/auth/user': someone(), 'GET /api/email-history': page([item()]) });
    renderApp('/history?from=yesterday&status=odd&sort=content');
    expect(await screen.findByRole('link', { name: 'View A job' })).toBeVisible();
    expect(calls.find(({ path }) => path === '/api/email-history')?.query).toEqual({ limit: '25', outcome: 'true' });
  });
});
