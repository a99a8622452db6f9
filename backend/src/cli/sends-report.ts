import type { AccountHealth, OpenSend, OpenSends, ProviderBacklog } from '../modules/sending/index.js';

/** `npm run admin -- sends`: what goes out, and what is in its way. */
export async function sendsReport(sends: OpenSends): Promise<string> {
  const [accounts, providers, open] = [await sends.accounts(), await sends.providers(), await sends.list()];
  const paced = providers.filter(({ waiting, refusedLastHour, perSecond }) => waiting > 0 || refusedLastHour > 0 || perSecond !== null);
  return ['Mail accounts', ...accounts.map(accountLine), ...(paced.length > 0 ? ['', 'Mailbox providers with a rate', ...paced.map(providerLine)] : []), '', open.length === 0 ? 'No send is under way.' : 'Sends under way, the oldest first', ...open.flatMap(sendLines)].join('\n');
}

function accountLine({ name, isDefault, state, lastError, lastErrorAt }: AccountHealth): string {
  const trouble = state === 'failing' ? ` since ${time(lastErrorAt)}: ${lastError ?? 'no reason known'}. Sending tries again by itself every half minute.` : '';
  return `  ${name}${isDefault ? ' (default)' : ''}: ${state}${trouble}`;
}

function providerLine({ account, provider, rateNow, perSecond, refusedLastHour, waiting, pausedUntil, lastAnswer }: ProviderBacklog): string {
  const end = waiting > 0 && perSecond ? `, through by ${time(new Date(Math.max(Date.now(), pausedUntil ? new Date(pausedUntil).getTime() : 0) + (waiting / perSecond) * 1000))}` : '';
  const rate = perSecond === null ? 'no limit' : `at most ${number(perSecond)} a second`;
  return `  ${provider} by ${account}: ${number(rateNow)} a second in the last minute, ${rate}, ${refusedLastHour} refused in the last hour, ${waiting} waiting${end}${pausedUntil ? `; paused until ${time(pausedUntil)}` : ''}${refusedLastHour > 0 && lastAnswer ? `; last said: ${lastAnswer}` : ''}`;
}

const number = (value: number): string => String(Number(value.toPrecision(3)));

function sendLines({ id, subject, sender, waitsMinutes, paused, queued, sending, deferred, nextTry, waiting, reason }: OpenSend): string[] {
  const words = [`${queued} queued`, `${sending} being handed over`, `${deferred} asked to wait by the recipient's server`, ...Object.entries(waiting).map(([provider, count]) => `${count} of them waiting for the rate of ${provider}`)].filter((part) => !part.startsWith('0 '));
  return [
    `  ${id}  ${subject}`,
    `    by ${sender}, for ${waitsMinutes} min: ${words.join(', ') || 'nothing left to hand over'}${paused ? '; paused by its sender' : ''}${nextTry ? `; next try ${time(nextTry)}` : ''}${reason ? `; last said: ${reason}` : ''}`,
  ];
}

const time = (at: Date | string | null): string => (at ? new Date(at).toISOString().slice(0, 19).replace('T', ' ') : '?');
