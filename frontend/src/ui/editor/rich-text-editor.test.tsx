import { describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { pasteEvent } from '../../../test/clipboard-event';
import { renderPiece } from '../../../test/render';
import { documentFromText, emptyDocument, type RichDocument } from './document';
import { RichTextField } from './rich-text-field';
import { builtInTags } from './tags/built-in-tags';

async function open(document: RichDocument = emptyDocument()) {
  const onChange = jest.fn<(document: RichDocument) => void>();
  function Field() {
    const [shown, setShown] = useState({ document, revision: 0 });
    return (
      <>
        <RichTextField label="Email content" {...shown} onChange={onChange} tags={builtInTags} />
        <button onClick={() => setShown({ document: documentFromText('Another'), revision: 1 })}>Replace</button>
      </>
    );
  }
  const view = renderPiece(<Field />);
  const field = await screen.findByRole('textbox', { name: 'Email content' });
  const paste = (text: string, html = '') => act(() => void field.dispatchEvent(pasteEvent({ text, html })));
  const last = () => JSON.stringify(onChange.mock.calls.at(-1)?.[0].content);
  return { ...view, field, paste, last, onChange };
}

describe('the message field', () => {
  it('has a label, a description of how to reach its toolbar, and Alt+F10 focuses it', async () => {
    const { user, field } = await open();
    expect(field).toHaveAttribute('aria-multiline', 'true');
    expect(field).toHaveAccessibleDescription(/Press Alt F10 for the toolbar/);
    act(() => field.focus());
    fireEvent.keyDown(field, { key: 'F10', altKey: true });
    expect(screen.getByRole('button', { name: 'Bold' })).toHaveFocus();
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(screen.getByRole('button', { name: 'Underline' })).toHaveFocus();
    await user.keyboard('{End}');
    expect(screen.getByRole('button', { name: 'Redo' })).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    expect(screen.getByRole('button', { name: 'Bold' })).toHaveFocus();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(field).toHaveFocus());
  });

  it('handles its own keys: Ctrl+K adds a link and does not open the command palette', async () => {
    const { field } = await open();
    const onWindow = jest.fn();
    window.addEventListener('keydown', onWindow);
    act(() => field.focus());
    fireEvent.keyDown(field, { key: 'k', ctrlKey: true });
    expect(await screen.findByRole('dialog', { name: 'Link' })).toBeVisible();
    expect(onWindow).not.toHaveBeenCalled();
    window.removeEventListener('keydown', onWindow);
  });

  it('has one tab stop for its toolbar', async () => {
    await open();
    const toolbar = within(screen.getByRole('toolbar', { name: 'Formatting' }));
    expect(toolbar.getAllByRole('button').filter((button) => button.tabIndex === 0)).toHaveLength(1);
  });

  it('keeps the formatting of pasted content', async () => {
    const { paste, last } = await open();
    paste('Hello there', '<p>Hello <b>there</b></p>');
    await waitFor(() =>
      expect(last()).toBe(
        '[{"type":"paragraph","content":[{"type":"text","text":"Hello "},{"type":"text","marks":[{"type":"bold"}],"text":"there"}]}]',
      ),
    );
  });

  it('offers to paste without formatting where something was left out', async () => {
    const { user, paste, last } = await open();
    paste('Hello there', '<p style="font-family: Arial; color: red">Hello <b>there</b></p>');
    expect(await screen.findByText(/^Pasted as text\. Left out: colours and fonts\./)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Paste without formatting' }));
    await waitFor(() => expect(last()).toBe('[{"type":"paragraph","content":[{"type":"text","text":"Hello there"}]}]'));
  });

  it('offers our tag for one of another tool', async () => {
    const { user, paste, last } = await open();
    paste('Hi *|FNAME|*, are you free?');
    expect(await screen.findByText('This looks like a merge tag of another tool: *|FNAME|*.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Use First name' }));
    await waitFor(() =>
      expect(last()).toContain('{"type":"mergeTag","attrs":{"tag":"first_name","fallback":"there"}}'),
    );
    expect(screen.queryByText(/another tool/)).not.toBeInTheDocument();
  });

  it('inserts a tag by its menu: searched, chosen by Enter, with its first fallback', async () => {
    const { user, last, field } = await open();
    await user.click(screen.getByRole('button', { name: 'Insert tag' }));
    const search = await screen.findByRole('combobox', { name: 'Search tags' });
    await user.type(search, 'first');
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      'First namePriya',
      'Your first name',
    ]);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(last()).toContain('"tag":"first_name","fallback":"there"'));
    expect(field).toHaveTextContent('First name · there');
  });

  it('makes a link of an address without a scheme, and refuses an invalid address', async () => {
    const { user, last } = await open();
    await user.click(screen.getByRole('button', { name: 'Link' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Link' }));
    await user.type(dialog.getByLabelText('Text'), 'our jobs');
    await user.type(dialog.getByLabelText('Address'), 'javascript:alert(1)');
    await user.click(dialog.getByRole('button', { name: 'Apply' }));
    expect(dialog.getByText('Please enter a web or an email address')).toBeVisible();
    await user.clear(dialog.getByLabelText('Address'));
    await user.type(dialog.getByLabelText('Address'), 'acme.com/jobs{Enter}');
    await waitFor(() =>
      expect(last()).toContain(
        '{"type":"text","marks":[{"type":"link","attrs":{"href":"https://acme.com/jobs"}}],"text":"our jobs"}',
      ),
    );
  });

  it('makes a table with a header row, and lists', async () => {
    const { user, last } = await open();
    await user.click(screen.getByRole('button', { name: 'Table' }));
    await waitFor(() => expect(last()?.match(/"tableHeader"/g)).toHaveLength(3));
    expect(last()?.match(/"tableCell"/g)).toHaveLength(6);
    await user.click(screen.getByRole('button', { name: 'Table' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Add row below' }));
    await waitFor(() => expect(last()?.match(/"tableCell"/g)).toHaveLength(9));
  });

  it('takes over a document from outside, and Undo restores the one before', async () => {
    const { user, field, last } = await open(documentFromText('Mine'));
    await user.click(screen.getByRole('button', { name: 'Replace' }));
    await waitFor(() => expect(field).toHaveTextContent('Another'));
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(last()).toContain('Mine'));
  });
});
