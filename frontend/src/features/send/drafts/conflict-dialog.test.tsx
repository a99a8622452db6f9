import { describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderPiece } from '../../../../test/render';
import { ConflictDialog } from './conflict-dialog';

const other = { version: 3, updatedAt: '2026-11-20T10:00:00.000Z', device: 'Chrome on Windows' };
const names = ['Use that version', 'Keep mine', 'Keep both'];

describe('the choice between two versions of a draft', () => {
  it('is offered with all three answers', async () => {
    const onSettle = jest.fn((_how: string) => Promise.resolve());
    const { user } = renderPiece(<ConflictDialog other={other} isSending={false} onSettle={onSettle} />);
    await user.click(screen.getByRole('button', { name: 'Keep mine' }));
    expect(onSettle).toHaveBeenCalledWith('local');
  });

  it('waits while the email is being sent, and says so', () => {
    renderPiece(<ConflictDialog other={other} isSending onSettle={() => Promise.resolve()} />);
    expect(screen.getByText(/^The email is being sent or scheduled\./)).toBeVisible();
    for (const name of names) expect(screen.getByRole('button', { name })).toBeDisabled();
  });
});
