import { expectedEnd, type ProviderBacklog, shownName } from '../modules/delivery/index.js';
import type { WaitingSend, WaitingSends } from '../modules/schedules/index.js';
import type { AccountHealth, OpenSend, OpenSends } from '../modules/sending/index.js';

/** Text of `npm run admin -- sends`: running sends, what blocks them, and scheduled sends. */
export async function sendsReport(sends: OpenSends, waiting: WaitingSends): Promise<string> {
  const [accounts, providers, open] = [await sends.accounts(), await sends.providers(), await sends.list()];
  const scheduled = await waiting.first();
  const paced = providers.filter(
    ({ waiting, refusedLastHour, perSecond }) => waiting > 0 || refusedLastHour > 0 || perSecond !== null,
  );
  return [
    'Mail accounts',
    ...accounts.map(accountLine),
    ...(paced.length > 0 ? ['', 'Mailbox providers with a rate', ...paced.map(providerLine)] : []),
    '',
    open.length === 0 ? 'No send is under way.' : 'Sends under way, the oldest first',
    ...open.flatMap(sendLines),
    '',
    scheduled.total === 0 ? 'Nothing is scheduled.' : `Scheduled, the soonest first (${scheduled.total} in all)`,
    ...scheduled.sends.flatMap(scheduledLines),
  ].join('\n');
}

function accountLine({ name, isDefault, state, lastError, lastErrorAt }: AccountHealth): string {
  const trouble =
    state === 'failing'
      ? ` since ${time(lastErrorAt)}: ${lastError ?? 'no reason known'}. Sending tries again by itself every half minute.`
      : '';
  return `  ${name}${isDefault ? ' (default)' : ''}: ${state}${trouble}`;
}

function providerLine(backlog: ProviderBacklog): string {
  const { account, provider, rateNow, perSecond, refusedLastHour, waiting, pausedUntil, lastAnswer } = backlog;
  const endsAt = expectedEnd(backlog);
  const end = endsAt ? `, through by ${time(endsAt)}` : '';
  const rate = perSecond === null ? 'no limit' : `at most ${number(perSecond)} a second`;
  return `  ${shownName(provider)} by ${account}: ${number(rateNow)} a second in the last minute, ${rate}, ${refusedLastHour} refused in the last hour, ${waiting} waiting${end}${pausedUntil ? `; paused until ${time(pausedUntil)}` : ''}${refusedLastHour > 0 && lastAnswer ? `; last said: ${lastAnswer}` : ''}`;
}

const number = (value: number): string => String(Number(value.toPrecision(3)));

function sendLines({
  id,
  subject,
  sender,
  waitsMinutes,
  paused,
  queued,
  sending,
  deferred,
  nextTry,
  waiting,
  reason,
}: OpenSend): string[] {
  const words = [
    `${queued} queued`,
    `${sending} being handed over`,
    `${deferred} asked to wait by the recipient's server`,
    ...Object.entries(waiting).map(
      ([provider, count]) => `${count} of them waiting for the rate of ${shownName(provider)}`,
    ),
  ].filter((part) => !part.startsWith('0 '));
  return [
    `  ${id}  ${subject}`,
    `    by ${sender}, for ${waitsMinutes} min: ${words.join(', ') || 'nothing left to hand over'}${paused ? '; paused by its sender' : ''}${nextTry ? `; next try ${time(nextTry)}` : ''}${reason ? `; last said: ${reason}` : ''}`,
  ];
}

function scheduledLines({ id, subject, sender, at, timeZone, dueAt, isOverdue }: WaitingSend): string[] {
  const due = `${at} in ${timeZone}, ${time(dueAt)} UTC`;
  return [
    `  ${id}  ${subject}`,
    `    by ${sender}: ${isOverdue ? `was due at ${due}; it waits for a worker` : `waits for its time, ${due}`}`,
  ];
}

const time = (at: Date | string | null): string =>
  at ? new Date(at).toISOString().slice(0, 19).replace('T', ' ') : '?';
