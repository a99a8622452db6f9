const SIDE = 256;
const QUALITY = 0.9;

/** The middle square of a picture, at most 256 px wide, as WebP where the browser can write it. @throws when it cannot be read */
export async function cutPicture(file: Blob): Promise<Blob> {
  const source = await createImageBitmap(file);
  const edge = Math.min(source.width, source.height);
  const side = Math.min(SIDE, edge);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser gives no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, (source.width - edge) / 2, (source.height - edge) / 2, edge, edge, 0, 0, side, side);
  source.close();
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be written'))), 'image/webp', QUALITY);
  });
}
