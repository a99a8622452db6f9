/** A picture on the server. */
export interface UploadedPicture {
  fileId: string;
  url: string;
}

/** Functions that a screen gives to the editor, because the editor makes no calls. */
export interface PictureTools {
  /** URL of an uploaded picture; empty while it is unknown. */
  urlOf: (fileId: string) => string;
  /** @throws Error with a message to show */
  upload: (picture: Blob, name: string) => Promise<UploadedPicture>;
}

/** Attributes of a picture in a document. */
export interface PictureAttrs {
  fileId: string;
  alt: string;
  width: number;
  href: string | null;
}

/** Largest width of a picture in a mail, in pixels. */
export const MAX_WIDTH_PX = 560;
export const MAX_ALT_LENGTH = 500;

/**
 * URLs of pictures for the editor's nodes. The editor outlives a change of the screen's URLs, so nodes ask this object.
 */
export class PictureUrls {
  private tools: Pick<PictureTools, 'urlOf'> = { urlOf: () => '' };
  private readonly uploaded = new Map<string, string>();

  readonly of = (fileId: string): string => this.uploaded.get(fileId) ?? this.tools.urlOf(fileId);

  use(tools: Pick<PictureTools, 'urlOf'>): void {
    this.tools = tools;
  }

  add({ fileId, url }: UploadedPicture): void {
    this.uploaded.set(fileId, url);
  }
}
