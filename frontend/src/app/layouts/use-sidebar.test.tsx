import { expect, it, jest } from '@jest/globals';
import { StrictMode } from 'react';
import { act, renderHook } from '@testing-library/react';
import { useSidebar } from './use-sidebar';

it('the sidebar writes its cookie once for each press', () => {
  const { result } = renderHook(() => useSidebar(false), { wrapper: StrictMode });
  const write = jest.spyOn(document, 'cookie', 'set');
  try {
    act(() => result.current.toggle());
    expect(result.current.expanded).toBe(false);
    expect(write.mock.calls.map(([cookie]) => cookie.split(';')[0])).toEqual(['sidebar_state=false']);
    act(() => result.current.toggle());
    expect(write.mock.calls.map(([cookie]) => cookie.split(';')[0])).toEqual([
      'sidebar_state=false',
      'sidebar_state=true',
    ]);
  } finally {
    write.mockRestore();
  }
});
