import { expect, it, jest } from '@jest/globals';
import type { Editor } from '@tiptap/core';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { createRef } from 'react';
import { pasteEvent } from '../../../test/clipboard-event';
import { renderPiece } from '../../../test/render';
import {
  documentFromText,
  documentText,
  isEmptyDocument,
  linkedFileIds,
  withFileLinksTo,
  type RichDocument,
} from './document';
import type { EditorHandle } from './editor-handle';
import { RichTextField } from './rich-text-field';
import { builtInTags } from './tags/built-in-tags';

const linked = (label = 'Resume'): RichDocument => ({
  type: 'doc',
  version: 1,
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'See ' },
        { type: 'fileLink', attrs: { fileId: 'f1', label } },
        { type: 'text', text: ' please' },
      ],
    },
  ],
});

async function open(document: RichDocument) {
  const onChange = jest.fn<(document: RichDocument) => void>();
  const handle = createRef<EditorHandle>();
  const view = renderPiece(
    <RichTextField
      label="Email content"
      document={document}
      revision={0}
      onChange={onChange}
      tags={builtInTags}
      handle={handle}
    />,
  );
  const field = await screen.findByRole('textbox', { name: 'Email content' });
  const last = () => onChange.mock.calls.at(-1)?.[0];
  /** Selects the chip and opens it with Enter: jsdom computes no layout, so that nothing in the text can be clicked. */
  const openChip = (pos: number) => {
    act(() => void (field as HTMLElement & { editor: Editor }).editor.commands.setNodeSelection(pos));
    fireEvent.keyDown(field, { key: 'Enter' });
  };
  return { ...view, field, last, handle, openChip };
}

it('a link to a file is put at the end of a text that nobody has been in, and where the cursor is afterwards', async () => {
  const { field, handle, last, user } = await open(documentFromText('Hello'));
  act(() => handle.current?.insertFileLink('f1', 'Resume'));
  await waitFor(() => expect(field).toHaveFocus());
  await waitFor(() => expect(last() && documentText(last()!)).toBe('HelloResume'));
  act(() => handle.current?.insertFileLink('f2', 'x'.repeat(200)));
  await waitFor(() => expect(last() && documentText(last()!)).toBe(`HelloResume${'x'.repeat(100)}`));
  expect(linkedFileIds(last()!)).toEqual(['f1', 'f2']);
  await user.keyboard('{Control>}z{/Control}');
});

it('a link to a file is a chip that is edited, taken out, and brought back by Undo', async () => {
  const { user, openChip, last } = await open(linked());
  openChip(5);
  const asked = within(await screen.findByRole('dialog', { name: 'Link to a file' }));
  await user.clear(asked.getByLabelText('Text'));
  await user.type(asked.getByLabelText('Text'), 'Our resume{Enter}');
  await waitFor(() => expect(last() && documentText(last()!)).toBe('See Our resume please'));
  openChip(5);
  await user.click(await screen.findByRole('button', { name: 'Take out of the text' }));
  await waitFor(() => expect(last() && documentText(last()!)).toBe('See  please'));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(last() && linkedFileIds(last()!)).toEqual(['f1']));
});

it('all links to a file leave the text at once', async () => {
  const { handle, last } = await open(linked());
  act(() => handle.current?.removeFileLinks('f2'));
  act(() => handle.current?.removeFileLinks('f1'));
  await waitFor(() => expect(last() && documentText(last()!)).toBe('See  please'));
});

it('a copied link to a file is pasted as one', async () => {
  const { field, last } = await open(documentFromText('Hello'));
  const html = '<p data-pm-slice="1 1 []"><span data-file-link="f9" data-label="Resume">Resume</span></p>';
  act(() => void field.dispatchEvent(pasteEvent({ text: 'Resume', html })));
  await waitFor(() => expect(last() && linkedFileIds(last()!)).toEqual(['f9']));
});

it('a foreign page cannot paste one', async () => {
  const { field, last } = await open(documentFromText('Hello'));
  act(
    () =>
      void field.dispatchEvent(
        pasteEvent({ text: 'Resume', html: '<p><span data-file-link="f9" data-label="x">Resume</span></p>' }),
      ),
  );
  await waitFor(() => expect(last() && documentText(last()!)).toContain('Resume'));
  expect(linkedFileIds(last()!)).toEqual([]);
});

it('a document with nothing but a link to a file says something; its links are led to another file', () => {
  const document = linked('');
  expect(
    isEmptyDocument({ ...document, content: [{ type: 'paragraph', content: [document.content[0]!.content![1]!] }] }),
  ).toBe(false);
  expect(linkedFileIds(withFileLinksTo(document, 'f1', 'f2'))).toEqual(['f2']);
  expect(withFileLinksTo(document, 'f3', 'f2')).toBe(document);
});
