import type { AccountHealth, OpenSend, OpenSends } from '../modules/sending/index.js';

/** `npm run admin -- sends`: what goes out, and what is in its way. */
export async function sendsReport(sends: OpenSends): Promise<string> {
  const [accounts, open] = [await sends.accounts(), await sends.list()];
  return ['Mail accounts', ...accounts.map(accountLine), '', open.length === 0 ? 'No send is under way.' : 'Sends under way, the oldest first', ...open.flatMap(sendLines)].join('\n');
}

function accountLine({ name, isDefault, state, lastError, lastErrorAt }: AccountHealth): string {
  const trouble = state === 'failing' ? ` since ${time(lastErrorAt)}: ${lastError ?? 'no reason known'}. Sending tries again by itself every half minute.` : '';
  return `  ${name}${isDefault ? ' (default)' : ''}: ${state}${trouble}`;
}

function sendLines({ id, subject, sender, waitsMinutes, paused, queued, sending, deferred, nextTry, reason }: OpenSend): string[] {
  const words = [`${queued} queued`, `${sending} being handed over`, `${deferred} asked to wait by the recipient's server`].filter((part) => !part.startsWith('0 '));
  return [
    `  ${id}  ${subject}`,
    `    by ${sender}, for ${waitsMinutes} min: ${words.join(', ') || 'nothing left to hand over'}${paused ? '; paused by its sender' : ''}${nextTry ? `; next try ${time(nextTry)}` : ''}${reason ? `; last said: ${reason}` : ''}`,
  ];
}

const time = (at: Date | string | null): string => (at ? new Date(at).toISOString().slice(0, 19).replace('T', ' ') : '?');
