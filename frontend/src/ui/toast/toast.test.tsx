import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { renderPiece } from '../../../test/render';
import { useToast, type ToastVariant } from './toast';

function Buttons() {
  const toast = useToast();
  const variants: ToastVariant[] = ['success', 'info', 'warning', 'destructive'];
  return variants.map((variant) => (
    <button
      key={variant}
      onClick={() => toast({ title: `A ${variant} title`, description: `A ${variant} text`, variant })}
    >
      {variant}
    </button>
  ));
}

/** Shows a toast, and another one between the rendering of the first and the effects that follow it. */
function TwoInTurn() {
  const toast = useToast();
  const [started, setStarted] = useState(0);
  useEffect(() => {
    if (started > 0) toast({ title: `Ended ${started}` });
  }, [started, toast]);
  const start = () => {
    setStarted(started + 1);
    toast({ title: `Started ${started + 1}` });
  };
  return <button onClick={start}>start</button>;
}

const toasts = () => document.querySelectorAll('[data-toast]');

/** Passes fake time until something holds, for at most `maxMs`. */
async function passTimeUntil(holds: () => boolean, maxMs: number): Promise<void> {
  for (let passed = 0; passed < maxMs && !holds(); passed += 100) await act(() => jest.advanceTimersByTimeAsync(100));
}

describe('toasts', () => {
  // The code of the toasts is fetched with the first toast, which takes real time but no fake time.
  beforeAll(() => import('./toasts'));

  it('are three at most, the newest ones', async () => {
    // Fake timers, because on a slow machine the first toasts would close by themselves.
    jest.useFakeTimers();
    try {
      renderPiece(<Buttons />);
      for (const name of ['success', 'info', 'warning', 'destructive'])
        act(() => screen.getByRole('button', { name }).click());
      const isFourthShown = () => screen.queryByText('A destructive title') !== null;
      // The limit is below 5 s, after which the first toasts would close by themselves.
      await passTimeUntil(() => isFourthShown() && toasts().length === 3, 4_000);
      expect(toasts()).toHaveLength(3);
      expect(screen.queryByText('A success title')).not.toBeInTheDocument();
      expect(screen.getByText('A destructive title')).toBeVisible();
    } finally {
      jest.useRealTimers();
    }
  });

  it('are all shown when one is added while another is being shown', async () => {
    const { user } = renderPiece(<TwoInTurn />);
    await user.click(screen.getByRole('button', { name: 'start' }));
    expect(await screen.findByText('Started 1')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'start' }));
    expect(await screen.findByText('Started 2')).toBeVisible();
    expect(await screen.findByText('Ended 2')).toBeVisible();
  });

  it('interrupt a screen reader for errors only', async () => {
    const { user } = renderPiece(<Buttons />);
    await user.click(screen.getByRole('button', { name: 'destructive' }));
    await user.click(screen.getByRole('button', { name: 'success' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('A destructive title');
    expect(screen.getByText('A success text').closest('[role=status]')).not.toBeNull();
    // A live region around live regions would make screen readers read them twice.
    expect(document.getElementById('toasts')).not.toHaveAttribute('aria-live');
  });

  it('disappear when dismissed', async () => {
    const { user } = renderPiece(<Buttons />);
    await user.click(screen.getByRole('button', { name: 'info' }));
    await user.click(await screen.findByRole('button', { name: 'Dismiss notification' }));
    await waitFor(() => expect(toasts()).toHaveLength(0));
  });

  it('disappear after about five seconds', async () => {
    jest.useFakeTimers();
    try {
      renderPiece(<Buttons />);
      act(() => screen.getByRole('button', { name: 'info' }).click());
      await act(() => jest.advanceTimersByTimeAsync(4500));
      expect(toasts()).toHaveLength(1);
      for (let i = 0; i < 10; i++) await act(() => jest.advanceTimersByTimeAsync(200));
      expect(toasts()).toHaveLength(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('offer Undo for 10 seconds, also under the pointer', async () => {
    jest.useFakeTimers();
    try {
      const onUndo = jest.fn(() => Promise.resolve());
      function Deleting() {
        const toast = useToast();
        return <button onClick={() => toast({ title: 'Gone', variant: 'success', onUndo })}>delete</button>;
      }
      renderPiece(<Deleting />);
      act(() => screen.getByRole('button', { name: 'delete' }).click());
      for (let i = 0; i < 19; i++) await act(() => jest.advanceTimersByTimeAsync(500));
      expect(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
      fireEvent.mouseEnter(toasts()[0] as Element);
      for (let i = 0; i < 10; i++) await act(() => jest.advanceTimersByTimeAsync(200));
      expect(toasts()).toHaveLength(0);
      expect(onUndo).not.toHaveBeenCalled();
    } finally {
      jest.useRealTimers();
    }
  });

  it('are announced also while a dialog hides everything else', async () => {
    const { user } = renderPiece(<Buttons />);
    const region = document.getElementById('toasts');
    // A dialog is open before the first toast, and another one opens after it.
    region?.setAttribute('aria-hidden', 'true');
    await user.click(screen.getByRole('button', { name: 'info' }));
    await waitFor(() => expect(region).not.toHaveAttribute('aria-hidden'));
    region?.setAttribute('aria-hidden', 'true');
    await waitFor(() => expect(region).not.toHaveAttribute('aria-hidden'));
  });
});
