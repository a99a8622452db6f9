import type { FileDto } from './endpoints.gen';

/** An uploaded file: a picture or a document. */
export type StoredFile = FileDto;
