import type { Editor } from '@tiptap/react';
import { useEffect } from 'react';
import { MAX_WIDTH_PX, type PictureTools, type PictureUrls } from './picture-tools';
import { shrinkPicture } from './shrink-picture';

/** Sets the URLs of the pictures in the text as soon as they are known. */
export function useLoadedPictures(editor: Editor, urls: PictureUrls, tools: PictureTools | undefined): void {
  const urlOf = tools?.urlOf;
  useEffect(() => {
    if (!urlOf) return;
    urls.use({ urlOf });
    // A field that is not rendered yet asks for the URLs when it is.
    if (editor.isDestroyed) return;
    for (const image of editor.view.dom.querySelectorAll<HTMLImageElement>('img[data-file]')) {
      const url = urls.of(image.dataset.file ?? '');
      if (url && image.getAttribute('src') !== url) image.src = url;
    }
  }, [editor, urls, urlOf]);
}

/**
 * Uploads pasted pictures and inserts them at the cursor. Stops once the field is gone, because somebody else may be
 * signed in by then. @throws Error with a message to show
 */
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
    if (editor.isDestroyed) return;
    const uploaded = await upload(blob, `pasted-${index + 1}`);
    urls.add(uploaded);
    content.push({ type: 'image', attrs: { fileId: uploaded.fileId, alt: '', width: Math.min(width, MAX_WIDTH_PX) } });
  }
  if (editor.isDestroyed) return;
  editor.chain().focus().insertContent(content).run();
}
