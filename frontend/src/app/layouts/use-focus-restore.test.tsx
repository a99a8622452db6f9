import { describe, expect, it } from '@jest/globals';
import { useState } from 'react';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { renderPiece } from '../../../test/render';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { MainArea } from './main-area';
import { useFocusRestore } from './use-focus-restore';

/** Cards that can be removed one by one, at once or after a confirmation. */
function Cards() {
  const [names, setNames] = useState(['Java vendors', 'Bench partners']);
  const [asked, setAsked] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useFocusRestore();
  const drop = (name: string) => setNames(names.filter((one) => one !== name));
  return (
    <>
      <button onClick={() => setNames([])}>Drop all</button>
      <MainArea>
        <p>Free space</p>
        <button disabled={isBusy} onClick={() => setBusy(true)}>
          Turn
        </button>
        {isBusy && <button onClick={() => setBusy(false)}>Turned</button>}
        {names.length > 0 && (
          <section aria-label="Lists">
            {names.map((name) => (
              <article key={name}>
                <button onClick={() => drop(name)}>Drop {name}</button>
                <button onClick={() => setAsked(name)}>Delete {name}</button>
              </article>
            ))}
          </section>
        )}
        <ConfirmDialog
          open={asked !== null}
          title="Delete this list?"
          confirmLabel="Delete list"
          onCancel={() => setAsked(null)}
          onConfirm={() => {
            drop(asked!);
            setAsked(null);
          }}
        >
          {asked}
        </ConfirmDialog>
      </MainArea>
    </>
  );
}

const press = (name: string) => screen.getByRole('button', { name });
// eslint-disable-next-line staffcast/no-bare-wait -- the focus moves after its frame; nothing says that it stays
const waitForFocusMove = () => new Promise((rest) => setTimeout(rest, 80));

describe('the keyboard focus', () => {
  it('moves within the same section of the screen when its control is removed', async () => {
    const { user } = renderPiece(<Cards />);
    await user.click(press('Drop Java vendors'));
    await waitFor(() => expect(screen.getByRole('region', { name: 'Lists' })).toHaveFocus());
    await user.tab();
    expect(press('Drop Bench partners')).toHaveFocus();
    expect(screen.getByRole('region', { name: 'Lists' })).not.toHaveAttribute('tabindex');
  });

  it('moves there after the dialog that asked has closed', async () => {
    const { user } = renderPiece(<Cards />);
    press('Delete Java vendors').focus();
    await user.keyboard('{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Delete list' }));
    await waitFor(() => expect(screen.getByRole('region', { name: 'Lists' })).toHaveFocus());
  });

  it('moves to the screen when its section has been removed as well', async () => {
    const { user } = renderPiece(<Cards />);
    await user.click(press('Drop Java vendors'));
    await user.click(press('Drop Bench partners'));
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  });

  it('returns to a control that was disabled for a while', async () => {
    const { user } = renderPiece(<Cards />);
    await user.click(press('Turn'));
    // Browsers remove the focus from a disabled control without an event.
    Object.defineProperty(document, 'activeElement', { configurable: true, value: document.body });
    fireEvent.click(press('Turned'));
    Reflect.deleteProperty(document, 'activeElement');
    await waitFor(() => expect(press('Turn')).toHaveFocus());
  });

  it('is not moved where it had left the control before its removal', async () => {
    renderPiece(<Cards />);
    press('Drop Java vendors').focus();
    press('Drop Java vendors').blur();
    await waitForFocusMove();
    fireEvent.click(press('Drop all'));
    expect(screen.queryByRole('region', { name: 'Lists' })).not.toBeInTheDocument();
    await waitForFocusMove();
    expect(document.body).toHaveFocus();
  });
});
