import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { renderPiece } from '../../test/render';
import { useAddress } from './use-address';

function TwoWriters() {
  const { params, state, write } = useAddress();
  const both = () => {
    write({ open: 'c1' }, { state: { opened: 'contact' } });
    write({ tab: 'log' }, { replace: true });
  };
  return <button onClick={both}>{`${params.toString()} ${JSON.stringify(state)}`}</button>;
}

it('two concurrent changes of the address keep the parameters and the state of both', async () => {
  const { user } = renderPiece(<TwoWriters />);
  await user.click(screen.getByRole('button'));
  await waitFor(() => expect(screen.getByRole('button')).toHaveTextContent('open=c1&tab=log {"opened":"contact"}'));
});
