const EMBEDDED_PICTURE = /^data:(image\/(?:png|jpe?g|gif|webp));base64,([a-z0-9+/=\s]+)$/i;
/** Maximum number of pictures in a document. */
const MAX_PICTURES = 20;

/**
 * The bytes of a picture that is embedded in pasted HTML.
 * @returns null for a picture on another host
 */
export function embeddedPicture(src: string): Blob | null {
  const [, type, base64] = EMBEDDED_PICTURE.exec(src) ?? [];
  if (!type || !base64) return null;
  try {
    return new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], { type: type.toLowerCase() });
  } catch {
    return null;
  }
}

/** Pictures in a clipboard or in a drop, as files. */
export const pictureFiles = (data: DataTransfer | null | undefined): Blob[] =>
  [...(data?.files ?? [])].filter(({ type }) => /^image\/(?:png|jpeg|gif|webp)$/.test(type)).slice(0, MAX_PICTURES);
