import { describe, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderPiece } from '../../../test/render';
import { RadioCards } from './radio-cards';

const REASON = 'Only bench sales staff send candidate lists';
const choices = [
  { value: 'job-post', label: 'Job Post', text: 'Share open positions' },
  { value: 'candidate-list', label: 'Candidate List', text: 'Share available candidates', disabledReason: REASON },
] as const;

describe('a disabled radio card', () => {
  it('shows and announces what it is and why it is disabled', () => {
    renderPiece(<RadioCards legend="Type" name="type" choices={choices} value="job-post" onChange={() => undefined} />);
    const card = screen.getByRole('radio', { name: /^Candidate List/ });
    expect(card).toBeDisabled();
    expect(card).toHaveAccessibleDescription(`Share available candidates ${REASON}`);
    expect(screen.getByText('Share available candidates')).toBeVisible();
    expect(screen.getByText(REASON)).toBeVisible();
  });

  it('stays unselected when it is clicked; the other cards announce only their description', async () => {
    const onChange = jest.fn();
    const { user } = renderPiece(
      <RadioCards legend="Type" name="type" choices={choices} value="" onChange={onChange} />,
    );
    await user.click(screen.getByText('Candidate List'));
    expect(onChange).not.toHaveBeenCalled();
    expect(screen.getByRole('radio', { name: /^Job Post/ })).toHaveAccessibleDescription('Share open positions');
    await user.click(screen.getByText('Job Post'));
    expect(onChange).toHaveBeenCalledWith('job-post');
  });
});
