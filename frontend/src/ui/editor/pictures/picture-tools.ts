/** A picture that the server has. */
export interface UploadedPicture {
  fileId: string;
  url: string;
}

/** What the editor asks of its screen, which makes the calls. */
export interface PictureTools {
  /** Where the bytes of an uploaded picture are; empty while that is not known. */
  urlOf: (fileId: string) => string;
  /** @throws Error with a message for the person */
  upload: (picture: Blob, name: string) => Promise<UploadedPicture>;
}

/** Attributes of a picture in a document. */
export interface PictureAttrs {
  fileId: string;
  alt: string;
  width: number;
  href: string | null;
}

/** The widest that a picture can be in a mail, in pixels. */
export const MAX_WIDTH = 560;
export const MAX_ALT = 500;

/** Addresses of pictures as the editor's nodes ask for them; those of the screen change after the editor was made. */
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
