import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { page } from '../../../../test/fake-api';
import { openWizard, sendableList } from '../../../../test/send-kit';

const TIMERS = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
] as const;

/** Only the clock is replaced, not the timers. */
beforeEach(
  () =>
    void jest.useFakeTimers({
      doNotFake: [...TIMERS, 'queueMicrotask', 'nextTick', 'performance', 'requestAnimationFrame', 'hrtime'],
      now: Date.now(),
    }),
);
afterEach(() => void jest.useRealTimers());

it('lists to choose from show the present counts when they are opened again', async () => {
  let count = 3;
  const { router } = openWizard({
    'GET /api/email-lists': () => page([sendableList('l1', 'Java vendors', count)]),
  });
  expect(await screen.findByText('3 contacts')).toBeVisible();
  await act(() => router.navigate('/lists'));
  count = 400;
  jest.setSystemTime(Date.now() + 11_000);
  await act(() => router.navigate('/send'));
  expect(await screen.findByText('400 contacts')).toBeVisible();
});
