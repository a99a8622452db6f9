import { toApiError } from '../../api/api-error';

/** Milliseconds after which an upload without an answer has failed. */
const UPLOAD_MS = 15 * 60_000;

export interface UploadProgress {
  /** Bytes of the file that were sent. */
  onProgress: (sent: number) => void;
  /** Stops the upload: nothing of it is kept. */
  signal: AbortSignal;
}

/** The answer to an upload: the document's id, and whether it was new; the same bytes once more are the document that is there. */
export interface UploadedDocument {
  id: string;
  isNew: boolean;
}

/**
 * Uploads a document. By XMLHttpRequest, since `fetch` tells no progress of what it sends.
 * @throws ApiError; an AbortError where it was stopped
 */
export function uploadDocument(document: File, { onProgress, signal }: UploadProgress): Promise<UploadedDocument> {
  return new Promise((resolve, reject) => {
    const stopped = () => new DOMException('The upload was stopped', 'AbortError');
    if (signal.aborted) return reject(stopped());
    const request = new XMLHttpRequest();
    const fail = (status: 'FETCH_ERROR' | 'TIMEOUT_ERROR') => reject(toApiError({ status, error: '' }) as never);
    request.open('POST', '/api/files');
    request.timeout = UPLOAD_MS;
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
