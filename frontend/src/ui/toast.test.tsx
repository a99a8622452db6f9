import { describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { renderPiece } from '../../test/render';
import { useToast, type ToastVariant } from './toast';

function Buttons() {
  const toast = useToast();
  const variants: ToastVariant[] = ['success', 'info', 'warning', 'destructive'];
  return variants.map((variant) => (
    <button key={variant} onClick={() => toast({ title: `A ${variant} title`, description: `A ${variant} text`, variant })}>
      {variant}
    </button>
  ));
}

const toasts = () => document.querySelectorAll('[data-toast]');

describe('toasts', () => {
  it('shows at most three, the newest kept', async () => {
    const { user } = renderPiece(<Buttons />);
    for (const name of ['success', 'info', 'warning', 'destructive']) await user.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(screen.queryByText('A success title')).not.toBeInTheDocument());
    await screen.findByText('A destructive title');
    expect(toasts()).toHaveLength(3);
  });

  it('interrupts for errors and waits its turn otherwise', async () => {
    const { user } = renderPiece(<Buttons />);
    await user.click(screen.getByRole('button', { name: 'destructive' }));
    await user.click(screen.getByRole('button', { name: 'success' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('A destructive title');
    expect(screen.getByText('A success text').closest('[role=status]')).not.toBeNull();
    // A live region around live regions would have them read twice.
    expect(document.getElementById('toasts')).not.toHaveAttribute('aria-live');
  });

  it('goes when dismissed', async () => {
    const { user } = renderPiece(<Buttons />);
    await user.click(screen.getByRole('button', { name: 'info' }));
    await user.click(await screen.findByRole('button', { name: 'Dismiss notification' }));
    await waitFor(() => expect(toasts()).toHaveLength(0));
  });

  it('goes by itself after 5000 ms', async () => {
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

  it('is still heard while a dialog hides everything else', async () => {
    renderPiece(<Buttons />);
    const region = document.getElementById('toasts');
    region?.setAttribute('aria-hidden', 'true');
    await waitFor(() => expect(region).not.toHaveAttribute('aria-hidden'));
  });
});
