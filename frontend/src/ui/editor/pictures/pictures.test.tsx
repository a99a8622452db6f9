import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import { Editor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { pasteEvent, type ClipboardPaste } from '../../../../test/clipboard-event';
import { renderPiece } from '../../../../test/render';
import { emptyDocument, type RichDocument } from '../document';
import { RichTextField } from '../rich-text-field';
import { builtInTags } from '../tags/built-in-tags';
import { PictureUrls, type PictureTools } from './picture-tools';
import { useLoadedPictures } from './use-pictures';

const DOT_PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const photo = () => new File(['bytes'], 'team.jpg', { type: 'image/jpeg' });

/** jsdom cannot draw. Here every picture is 1,600 pixels wide, and its bytes are its type and size. */
beforeEach(() => {
  Object.assign(globalThis, { createImageBitmap: () => Promise.resolve({ width: 1600, height: 800 }) });
  jest
    .spyOn(HTMLCanvasElement.prototype, 'getContext')
    .mockReturnValue({ drawImage: jest.fn(), fillRect: jest.fn() } as never);
  jest.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done, type) {
    done(new Blob([`${this.width}x${this.height}`], { type }));
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'createImageBitmap');
});

async function open(document: RichDocument = emptyDocument(), tools: Partial<PictureTools> = {}) {
  const onChange = jest.fn<(document: RichDocument) => void>();
  const upload = jest.fn<PictureTools['upload']>((_picture, name) =>
    Promise.resolve({ fileId: `id of ${name}`, url: `/media/${name}.png` }),
  );
  const pictures: PictureTools = { urlOf: () => '/media/stored.png', upload, ...tools };
  const view = renderPiece(
    <RichTextField
      label="Email content"
      document={document}
      revision={0}
      onChange={onChange}
      tags={builtInTags}
      pictures={pictures}
    />,
  );
  const field = await screen.findByRole('textbox', { name: 'Email content' });
  const paste = (data: ClipboardPaste) => act(() => void field.dispatchEvent(pasteEvent(data)));
  const images = () =>
    (onChange.mock.calls.at(-1)?.[0].content ?? []).filter(({ type }) => type === 'image').map(({ attrs }) => attrs);
  return { ...view, field, paste, images, upload };
}

it('dialogs of pictures wait for a field that is not shown yet', () => {
  const editor = new Editor({ element: null, extensions: [StarterKit] });
  const urls = new PictureUrls();
  const { unmount } = renderHook(() =>
    useLoadedPictures(editor, urls, { urlOf: () => '/media/x.png', upload: jest.fn() as never }),
  );
  expect(urls.of('f1')).toBe('/media/x.png');
  unmount();
  editor.destroy();
});

describe('pictures', () => {
  it('are added by the toolbar: chosen, described, sized, and scaled before the upload', async () => {
    const { user, images, upload, field } = await open();
    await user.click(screen.getByRole('button', { name: 'Picture' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Picture' }));
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    expect(upload).not.toHaveBeenCalled();
    await user.upload(dialog.getByLabelText('Picture file'), photo());
    expect(await dialog.findByText('team.jpg')).toBeVisible();
    expect(dialog.getByLabelText('Width in pixels')).toHaveValue('560');
    await user.clear(dialog.getByLabelText('Width in pixels'));
    await user.type(dialog.getByLabelText('Width in pixels'), '561');
    await user.click(dialog.getByRole('button', { name: 'Add' }));
    expect(dialog.getByText('From 1 to 560')).toBeVisible();
    await user.clear(dialog.getByLabelText('Width in pixels'));
    await user.type(dialog.getByLabelText('Width in pixels'), '320');
    await user.type(dialog.getByLabelText('Description'), 'Our team{Enter}');
    await waitFor(() =>
      expect(images()).toEqual([{ fileId: 'id of team.jpg', alt: 'Our team', width: 320, href: null }]),
    );
    expect(upload.mock.calls.map(([blob]) => [blob.type, blob.size])).toEqual([['image/jpeg', '1200x600'.length]]);
    expect(within(field).getByRole('img', { name: 'Our team' })).toHaveAttribute('src', '/media/team.jpg.png');
  });

  it('keep the width that was typed while the file was read', async () => {
    let read = (): void => undefined;
    const reading = new Promise((done) => (read = () => done({ width: 1600, height: 800 })));
    Object.assign(globalThis, { createImageBitmap: () => reading });
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Picture' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Picture' }));
    await user.upload(dialog.getByLabelText('Picture file'), photo());
    await user.type(dialog.getByLabelText('Width in pixels'), '320');
    act(() => read());
    expect(await dialog.findByText('team.jpg')).toBeVisible();
    expect(dialog.getByLabelText('Width in pixels')).toHaveValue('320');
  });

  it('keep the dialog and the input where the upload fails', async () => {
    const upload = () => Promise.reject(new Error('Your 200 MB are used up'));
    const { user, images } = await open(emptyDocument(), { upload });
    await user.click(screen.getByRole('button', { name: 'Picture' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Picture' }));
    await user.upload(dialog.getByLabelText('Picture file'), photo());
    await user.type(dialog.getByLabelText('Description'), 'Team{Enter}');
    expect(await dialog.findByText('Your 200 MB are used up')).toBeVisible();
    expect(dialog.getByLabelText('Description')).toHaveValue('Team');
    expect(images()).toEqual([]);
  });

  it('are edited by pressing Enter on them', async () => {
    const image = { type: 'image', attrs: { fileId: 'f1', alt: 'Logo', width: 300, href: 'https://a.test' } };
    const { user, images, field } = await open({ type: 'doc', version: 1, content: [image] });
    const picture = within(field).getByRole('img', { name: 'Logo' });
    await waitFor(() => expect(picture).toHaveAttribute('src', '/media/stored.png'));
    act(() => field.focus());
    fireEvent.keyDown(field, { key: 'Enter' });
    const dialog = within(await screen.findByRole('dialog', { name: 'Picture' }));
    await user.clear(dialog.getByLabelText('Description'));
    await user.type(dialog.getByLabelText('Description'), 'Our logo{Enter}');
    await waitFor(() => expect(images()).toEqual([{ ...image.attrs, alt: 'Our logo' }]));
  });

  it('in a paste are offered, and uploaded only on request; tracking pixels and those of other hosts are left out', async () => {
    const { user, paste, images, upload } = await open();
    const html = `<p>Hello <img src="${DOT_PNG}" width="300"><img src="${DOT_PNG}" width="1" height="1"><img src="https://a.test/x.png"></p><img src="${DOT_PNG}">`;
    paste({ html, text: 'Hello' });
    expect(await screen.findByText('Add the 2 pictures you pasted?')).toBeVisible();
    expect(screen.getByText(/Left out: 1 picture\./)).toBeVisible();
    expect(upload).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(images()).toHaveLength(2));
    expect(images()[0]).toMatchObject({ fileId: 'id of pasted-1', width: 560 });
    expect(screen.queryByText(/you pasted/)).not.toBeInTheDocument();
  });

  it('in a paste that are declined count as left out', async () => {
    const { user, paste, upload } = await open();
    paste({ html: '<img src="https://a.test/x.png">', files: [photo()] });
    expect(await screen.findByText('Add the picture you pasted?')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Leave out' }));
    expect(await screen.findByText(/Left out: 1 picture\./)).toBeVisible();
    expect(upload).not.toHaveBeenCalled();
  });

  it('say why they could not be added', async () => {
    const upload = () => Promise.reject(new Error('You have 500 pictures. Delete a picture first'));
    const { user, paste } = await open(emptyDocument(), { upload });
    paste({ files: [photo()] });
    await user.click(await screen.findByRole('button', { name: 'Add' }));
    expect(await screen.findByText('You have 500 pictures. Delete a picture first')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Add' })).toBeEnabled();
  });
});
