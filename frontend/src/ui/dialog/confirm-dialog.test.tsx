import { describe, expect, it, jest } from '@jest/globals';
import { useState } from 'react';
import { screen, waitFor } from '@testing-library/react';
import { renderPiece } from '../../../test/render';
import { ConfirmDialog } from './confirm-dialog';

function Asker({ onConfirm }: { onConfirm: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>Delete it</button>
      <ConfirmDialog
        open={open}
        title="Delete this list?"
        confirmLabel="Delete list"
        destructive
        onConfirm={onConfirm}
        onCancel={() => setOpen(false)}
      >
        Java vendors, 412 contacts
      </ConfirmDialog>
    </>
  );
}

describe('a confirmation dialog', () => {
  it('focuses the harmless answer first and restores the focus', async () => {
    const { user } = renderPiece(<Asker onConfirm={() => undefined} />);
    await user.click(screen.getByRole('button', { name: 'Delete it' }));
    expect(await screen.findByRole('alertdialog', { name: 'Delete this list?' })).toHaveAccessibleDescription(
      'Java vendors, 412 contacts',
    );
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Delete it' })).toHaveFocus());
  });

  it('acts only on its own button', async () => {
    const onConfirm = jest.fn();
    const { user } = renderPiece(<Asker onConfirm={onConfirm} />);
    await user.click(screen.getByRole('button', { name: 'Delete it' }));
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onConfirm).not.toHaveBeenCalled();
    await user.click(await screen.findByRole('button', { name: 'Delete it' }));
    await user.click(screen.getByRole('button', { name: 'Delete list' }));
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });
});
