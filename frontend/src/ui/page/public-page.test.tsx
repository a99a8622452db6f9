import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderPiece } from '../../../test/render';
import { IconCheck } from '../icons';
import { ResultPage } from './public-page';

it('a result page announces what happened, not the buttons below it', () => {
  renderPiece(
    <ResultPage icon={IconCheck} title="Unsubscribed" text="maya@vendor.example was removed.">
      <button>Undo</button>
    </ResultPage>,
  );
  const status = screen.getByRole('status');
  expect(status).toHaveTextContent(/^Unsubscribedmaya@vendor\.example was removed\.$/);
  expect(status).not.toContainElement(screen.getByRole('button', { name: 'Undo' }));
});
