import type { Editor } from '@tiptap/react';
import { useEffect } from 'react';
import { MAX_WIDTH, type PictureTools, type PictureUrls } from './picture-tools';
import { shrinkPicture } from './shrink-picture';

/** Gives the pictures that the text shows their addresses as soon as these are known. */
export function useShownPictures(editor: Editor, urls: PictureUrls, tools: PictureTools | undefined): void {
  const urlOf = tools?.urlOf;
  useEffect(() => {
    if (!urlOf) return;
    urls.use({ urlOf });
    // A field that is not shown yet asks for the addresses when it is.
    if (editor.isDestroyed) return;
    for (const image of editor.view.dom.querySelectorAll<HTMLImageElement>('img[data-file]')) {
      const url = urls.of(image.dataset.file ?? '');
      if (url && image.getAttribute('src') !== url) image.src = url;
    }
  }, [editor, urls, urlOf]);
}

/** Uploads pasted pictures and puts them where the cursor is. @throws Error with a message for the person */
export async function addPictures(
  editor: Editor,
  urls: PictureUrls,
  { upload }: PictureTools,
  pictures: readonly Blob[],
): Promise<void> {
  const content = [];
  for (const [index, picture] of pictures.entries()) {
    const { blob, width } = await shrinkPicture(picture).catch(() => {
      throw new Error('This picture cannot be read.');
    });
    const uploaded = await upload(blob, `pasted-${index + 1}`);
    urls.add(uploaded);
    content.push({ type: 'image', attrs: { fileId: uploaded.fileId, alt: '', width: Math.min(width, MAX_WIDTH) } });
  }
  editor.chain().focus().insertContent(content).run();
}
