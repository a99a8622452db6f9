import { afterEach, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { useBlocker } from 'react-router-dom';
import { renderPiece } from '../../test/render';
import { unsavedInputs, useUnsavedInput } from './unsaved-changes';
import { useAddress } from './use-address';

afterEach(() => void jest.restoreAllMocks());

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

function FirstSave() {
  const { params, write } = useAddress();
  const saveAndGoOn = () => {
    write({}, { replace: true, pathname: '/send/d1' });
    // The next change comes before a slow device has rendered the first one.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 20_000);
    write({ step: '3' });
  };
  return <button onClick={saveAndGoOn}>{params.get('step') ?? 'first'}</button>;
}

it('a change keeps one that is not on the screen yet, however long that takes', async () => {
  const { user, router } = renderPiece(<FirstSave />, '/send');
  await user.click(screen.getByRole('button'));
  await waitFor(() => expect(screen.getByRole('button')).toHaveTextContent('3'));
  expect(router.state.location).toMatchObject({ pathname: '/send/d1', search: '?step=3' });
});

function Typed() {
  const { params, write } = useAddress();
  useUnsavedInput(true, { isLostBy: (_from, to) => to.search.includes('tab=') });
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      unsavedInputs.lostBy(currentLocation, nextLocation, historyAction) !== undefined,
  );
  return (
    <main>
      <button onClick={() => write({ tab: 'log' })}>Tab</button>
      <button onClick={() => write({ page: '2' })}>Page</button>
      {blocker.state === 'blocked' && <button onClick={() => blocker.reset()}>Keep editing</button>}
      <output>{params.toString()}</output>
    </main>
  );
}

it('a change that was refused is not made with the next one', async () => {
  const { user } = renderPiece(<Typed />);
  await user.click(screen.getByRole('button', { name: 'Tab' }));
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await user.click(screen.getByRole('button', { name: 'Page' }));
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(/^page=2$/));
});
