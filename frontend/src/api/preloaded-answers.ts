/** Answers to requests that were sent before the app's scripts were loaded. Each is used for one call. */
const preloadedAnswers = new Map<string, Promise<Response>>();

/** An answer older than this is not used. */
const MAX_AGE_MS = 20_000;

/**
 * Sends the request that the first call of `path` would send.
 * @returns the answer; undefined if the request failed
 */
export function preloadAnswer(path: string): Promise<Response | undefined> {
  // Reads the body in any case: an unread answer keeps its connection open.
  const answer = fetch(path, { credentials: 'include' }).then(async (given) => new Response(await given.text(), given));
  preloadedAnswers.set(path, answer);
  setTimeout(() => preloadedAnswers.delete(path), MAX_AGE_MS);
  return answer.catch(() => undefined);
}

/**
 * Takes the preloaded answer to a call. A second call does not get it, and an aborted call does not wait for it.
 * @returns undefined if no answer was preloaded for the call
 */
export function takePreloadedAnswer(request: Request): Promise<Response> | undefined {
  const path = request.method === 'GET' ? new URL(request.url).pathname : '';
  const answer = preloadedAnswers.get(path);
  preloadedAnswers.delete(path);
  return (
    answer &&
    new Promise((resolve, reject) => {
      answer.then(resolve, reject);
      request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
    })
  );
}
