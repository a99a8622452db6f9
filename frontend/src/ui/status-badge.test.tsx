import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderPiece } from '../../test/render';
import { StatusBadge, statusLooks, type StatusName } from './status-badge';

const names = Object.keys(statusLooks) as StatusName[];

describe('status badges', () => {
  it.each(names)('%s is shown by word and icon, not by colour alone', (status) => {
    const { container } = renderPiece(<StatusBadge status={status} />);
    expect(screen.getByText(statusLooks[status].word)).toBeVisible();
    expect(container.querySelector('svg[aria-hidden]')).not.toBeNull();
  });

  it('shows an unknown status in readable form (held_back: Held back)', () => {
    renderPiece(<StatusBadge status={'held_back' as StatusName} />);
    expect(screen.getByText('Held back')).toBeVisible();
  });

  it('has its own word for every status', () => {
    const words = names.map((name) => statusLooks[name].word);
    expect(new Set(words).size).toBe(words.length);
  });
});
