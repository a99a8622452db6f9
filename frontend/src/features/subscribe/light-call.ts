import { toApiError } from '../../api/api-error';
import type { Wish } from './api';

/** POST /api/subscribe for the landing page, which carries neither the store nor the generated client: its first visit must be light. */
export async function subscribeLightly(wish: Wish): Promise<void> {
  const request = new Request('/api/subscribe', {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  });
  const response = await fetch(request).catch(() => undefined);
  if (response?.ok) return;
  if (!response) throw toApiError({ status: 'FETCH_ERROR', error: '' });
  throw toApiError({ status: response.status, data: await response.json().catch(() => undefined) }, { request, response });
}
