/** Longest side of a picture that is uploaded, in pixels. */
const MAX_SIDE_PX = 1_200;
const MAX_BYTES = 2 * 1024 * 1024;
const JPEG_QUALITY = 0.86;

export interface PreparedPicture {
  blob: Blob;
  /** In pixels, after scaling. */
  width: number;
}

/**
 * Redraws a picture with at most 1,200 px on each side, as JPEG or PNG. This drops metadata of a camera or a program.
 * @throws if the picture cannot be read
 */
export async function shrinkPicture(file: Blob): Promise<PreparedPicture> {
  const source = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(source.width, source.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(source.width * scale));
  canvas.height = Math.max(1, Math.round(source.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser gives no canvas');
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const { width } = canvas;
  if (file.type !== 'image/jpeg') {
    const blob = await encodePicture(canvas, 'image/png');
    if (blob.size <= MAX_BYTES) return { blob, width };
  }
  // JPEG has no transparency, so the picture gets a white background.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return { blob: await encodePicture(canvas, 'image/jpeg'), width };
}

const encodePicture = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be written'))),
      type,
      JPEG_QUALITY,
    );
  });
