import { toApiError } from '../../api/api-error';
import { ACTING_USER_HEADER } from '../../api/base-api';

/** Ms after which an upload without an answer counts as failed. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;

export interface UploadProgress {
  /** Called with the number of bytes sent. */
  onProgress: (sent: number) => void;
  /** Stops the upload; the server then stores nothing of the file. */
  signal: AbortSignal;
}

/**
 * Answer to an upload: the document's id, and whether it is new. If the same bytes were uploaded before, it is the
 * existing document.
 */
export interface UploadedDocument {
  id: string;
  isNew: boolean;
}

/**
 * Uploads a document. Uses XMLHttpRequest, because `fetch` does not report the progress of an upload.
 * @param userId the user for whom it is uploaded, see ACTING_USER_HEADER
 * @throws ApiError; AbortError if the upload was stopped
 */
export function uploadDocument(
  document: File,
  { onProgress, signal }: UploadProgress,
  userId?: string,
): Promise<UploadedDocument> {
  return new Promise((resolve, reject) => {
    const stopped = () => new DOMException('The upload was stopped', 'AbortError');
    if (signal.aborted) return reject(stopped());
    const request = new XMLHttpRequest();
    const fail = (status: 'FETCH_ERROR' | 'TIMEOUT_ERROR') => reject(toApiError({ status, error: '' }) as never);
    request.open('POST', '/api/files');
    if (userId) request.setRequestHeader(ACTING_USER_HEADER, userId);
    request.timeout = UPLOAD_TIMEOUT_MS;
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, document.size));
    request.onload = () => {
      const { status } = request;
      const data = parse(request.responseText);
      if (status === 200 || status === 201)
        return resolve({ id: (data as UploadedDocument).id, isNew: status === 201 });
      const retryAfter = request.getResponseHeader('retry-after');
      const response = new Response(null, { headers: retryAfter ? { 'retry-after': retryAfter } : {} });
      reject(toApiError({ status, data }, { request: new Request('/api/files'), response }));
    };
    request.onerror = () => fail('FETCH_ERROR');
    request.ontimeout = () => fail('TIMEOUT_ERROR');
    request.onabort = () => reject(stopped());
    signal.addEventListener('abort', () => request.abort());
    const body = new FormData();
    body.set('kind', 'document');
    body.set('file', document, document.name);
    request.send(body);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isStopped = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';
