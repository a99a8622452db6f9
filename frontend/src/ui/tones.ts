import type { ToneName } from '../theme/palette';
import {
  IconAlert, IconBan, IconBounce, IconCheck, IconClock, IconComplaint, IconError, IconMinus, IconPause, IconQuestion, IconSend, IconStop, IconUser, IconWaiting, type Icon,
} from './icons';

export interface StatusLook {
  word: string;
  tone: ToneName;
  icon: Icon;
}

/** Every status a person sees: colour, icon and word each tell it alone. */
export const statusLooks = {
  sent: { word: 'Sent', tone: 'good', icon: IconCheck },
  pending: { word: 'Pending', tone: 'running', icon: IconClock },
  failed: { word: 'Failed', tone: 'bad', icon: IconError },
  paused: { word: 'Paused', tone: 'waiting', icon: IconPause },
  cancelled: { word: 'Cancelled', tone: 'quiet', icon: IconStop },
  queued: { word: 'Queued', tone: 'quiet', icon: IconWaiting },
  sending: { word: 'Sending', tone: 'running', icon: IconSend },
  deferred: { word: 'Deferred', tone: 'waiting', icon: IconClock },
  unconfirmed: { word: 'Unconfirmed', tone: 'waiting', icon: IconQuestion },
  skipped: { word: 'Skipped', tone: 'quiet', icon: IconMinus },
  bounced: { word: 'Bounced', tone: 'bounced', icon: IconBounce },
  complained: { word: 'Complained', tone: 'bad', icon: IconComplaint },
  confirmed: { word: 'Confirmed', tone: 'good', icon: IconCheck },
  accepted: { word: 'Accepted', tone: 'good', icon: IconUser },
  expired: { word: 'Expired', tone: 'quiet', icon: IconWaiting },
  unsubscribed: { word: 'Unsubscribed', tone: 'quiet', icon: IconBan },
  warning: { word: 'Attention', tone: 'waiting', icon: IconAlert },
} as const satisfies Record<string, StatusLook>;

export type StatusName = keyof typeof statusLooks;

/** How a status looks; one that only a newer server knows goes by its own name. */
export function lookOf(status: string): StatusLook {
  if (Object.hasOwn(statusLooks, status)) return statusLooks[status as StatusName];
  const words = status.replace(/[-_]+/g, ' ').trim();
  return { word: words ? words.charAt(0).toUpperCase() + words.slice(1) : 'Unknown', tone: 'quiet', icon: IconQuestion };
}
