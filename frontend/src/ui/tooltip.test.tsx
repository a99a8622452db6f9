import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Tooltip, TOOLTIP_DELAY_MS } from './tooltip';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const wait = (ms: number) => act(() => jest.advanceTimersByTime(ms));

it('a tooltip opens after its delay, and not where the pointer has only passed by', () => {
  render(
    <Tooltip title="Collapse sidebar">
      <button type="button">Sidebar</button>
    </Tooltip>,
  );
  const button = screen.getByRole('button');
  fireEvent.mouseOver(button);
  wait(TOOLTIP_DELAY_MS / 2);
  fireEvent.mouseLeave(button);
  wait(TOOLTIP_DELAY_MS * 2);
  expect(screen.queryByRole('tooltip')).toBeNull();
  fireEvent.mouseOver(button);
  wait(TOOLTIP_DELAY_MS + 50);
  expect(screen.getByRole('tooltip').textContent).toBe('Collapse sidebar');
});
