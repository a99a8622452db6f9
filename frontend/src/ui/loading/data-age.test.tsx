import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { ThemeAndToasts } from '../../app/providers';
import { RefreshFailed } from './data-age';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const failed = () => ({
  error: { status: 503 },
  data: [],
  currentData: [],
  fulfilledTimeStamp: Date.now(),
  isFetching: false,
  refetch: () => undefined,
});

it('a failed refresh is announced once: the age that goes on growing stands outside of what is read out', async () => {
  render(<RefreshFailed query={failed()} />, { wrapper: ThemeAndToasts });
  const announced = screen.getByRole('status');
  expect(announced).toHaveTextContent(/^The refresh failed\.$/);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  const changes = new MutationObserver(() => undefined);
  changes.observe(announced, { childList: true, characterData: true, subtree: true });
  await act(() => jest.advanceTimersByTimeAsync(180_000));
  const line = screen.getByText(/Could not refresh\. This was loaded 3 minutes ago\./);
  expect(line).toBeVisible();
  expect(line.closest('[aria-live], [role="alert"], [role="status"], [role="log"]')).toBeNull();
  expect(changes.takeRecords()).toEqual([]);
  changes.disconnect();
});
