import { page, refusal } from './fake-api';
import type { Call } from './fake-api';

/** A document as returned by the API. */
export const storedFile = (over: Record<string, unknown> = {}) => ({
  id: 'f1',
  kind: 'document',
  name: 'Resume, Java developer.pdf',
  mediaType: 'application/pdf',
  byteSize: 240 * 1024,
  width: null,
  height: null,
  url: null,
  state: 'ready',
  usedIn: 0,
  downloads: 0,
  automated: 0,
  expiresAt: null,
  createdAt: '2026-01-05T10:00:00.000Z',
  links: [],
  ...over,
});
export type StoredFileFixture = ReturnType<typeof storedFile>;

export const fileLink = (over: Record<string, unknown> = {}) => ({
  id: 'k1',
  sendId: 'h1',
  subject: 'Java hotlist',
  sentAt: '2026-01-05T10:00:00.000Z',
  expiresAt: '2126-02-05T10:00:00.000Z',
  revokedAt: null,
  downloads: 41,
  automated: 12,
  lastDownloadAt: null,
  ...over,
});

/** Answers of a server that stores these documents and reflects later changes. */
export function fakeFiles(...files: StoredFileFixture[]) {
  const stored = new Map(files.map((file) => [file.id, file]));
  const one = (id: string) => stored.get(id) ?? refusal(404, 'not_found', 'File not found');
  return {
    /** Adds or replaces a document. */
    set: (file: StoredFileFixture) => void stored.set(file.id, file),
    remove: (id: string) => void stored.delete(id),
    get: (id: string) => stored.get(id),
    answers: {
      'GET /api/files': ({ query }: Call) => {
        const found = [...stored.values()].filter(
          ({ kind, name }) =>
            (!query.kind || kind === query.kind) && name.toLowerCase().includes((query.search ?? '').toLowerCase()),
        );
        return page(found);
      },
      ...Object.fromEntries(['f1', 'f2', 'f3'].map((id) => [`GET /api/files/${id}`, () => one(id)])),
    },
  };
}
