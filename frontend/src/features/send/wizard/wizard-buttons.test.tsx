import { expect, it } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import { openWizard } from '../../../../test/send-kit';

const at = (clientX: number, clientY: number) => ({ button: 0, clientX, clientY });
const next = () => screen.getByRole('button', { name: 'Next' });
const choose = async () => {
  const opened = openWizard();
  await opened.user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
  return opened;
};

it('a press of Next counts although a line above moved the button away between press and release', async () => {
  await choose();
  fireEvent.mouseDown(next(), at(600, 500));
  // The mouse button is released over another element, which browsers do not treat as a click.
  fireEvent.mouseUp(screen.getByText('1 list selected'), at(602, 499));
  expect(await screen.findByLabelText('Subject line')).toBeVisible();
});

it('a press whose pointer was drawn off the button does not count', async () => {
  await choose();
  fireEvent.mouseDown(next(), at(600, 500));
  fireEvent.mouseUp(screen.getByText('1 list selected'), at(500, 480));
  expect(screen.queryByLabelText('Subject line')).not.toBeInTheDocument();
});

it('a press that was released outside the window does not count with a later release at its place', async () => {
  await choose();
  const elsewhere = screen.getByText('1 list selected');
  fireEvent.mouseDown(next(), at(600, 500));
  fireEvent.mouseDown(elsewhere, at(600, 500));
  fireEvent.mouseUp(elsewhere, at(600, 500));
  expect(screen.queryByLabelText('Subject line')).not.toBeInTheDocument();
});

it('a press that ends on the button goes one step, not two', async () => {
  const { user } = await choose();
  await user.click(next());
  fireEvent.change(await screen.findByLabelText('Subject line'), { target: { value: 'A job' } });
  await user.click(next());
  expect(await screen.findByText('Step 3 of 4')).toBeVisible();
});
