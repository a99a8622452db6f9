import Box from '@mui/material/Box';
import type { ToneName } from '../theme/palette';
import {
  IconAlert,
  IconBan,
  IconBounce,
  IconCheck,
  IconClock,
  IconComplaint,
  IconError,
  IconMinus,
  IconPause,
  IconQuestion,
  IconSend,
  IconStop,
  IconUser,
  IconWaiting,
  type Icon,
} from './icons';
import { TAG_STYLE } from './tag';

/** A status as icon, word and colour. */
export function StatusBadge({ status, word }: { status: StatusName; word?: string }) {
  const look = lookOf(status);
  const Mark = look.icon;
  return (
    <Box
      component="span"
      data-status={status}
      sx={{
        ...TAG_STYLE,
        fontWeight: 580,
        bgcolor: `tone.${look.tone}.soft`,
        color: `tone.${look.tone}.main`,
      }}
    >
      <Mark size={13} strokeWidth={2.4} aria-hidden />
      {word ?? look.word}
    </Box>
  );
}

export interface StatusLook {
  word: string;
  tone: ToneName;
  icon: Icon;
}

/** Looks of all statuses. Colour, icon and word each identify a status on their own. */
export const statusLooks = {
  sent: { word: 'Sent', tone: 'success', icon: IconCheck },
  pending: { word: 'Pending', tone: 'info', icon: IconClock },
  failed: { word: 'Failed', tone: 'error', icon: IconError },
  paused: { word: 'Paused', tone: 'warning', icon: IconPause },
  scheduled: { word: 'Scheduled', tone: 'info', icon: IconClock },
  leaving: { word: 'Leaving', tone: 'info', icon: IconSend },
  blocked: { word: 'Needs attention', tone: 'warning', icon: IconAlert },
  cancelled: { word: 'Cancelled', tone: 'neutral', icon: IconStop },
  queued: { word: 'Queued', tone: 'neutral', icon: IconWaiting },
  sending: { word: 'Sending', tone: 'info', icon: IconSend },
  deferred: { word: 'Deferred', tone: 'warning', icon: IconClock },
  unconfirmed: { word: 'Unconfirmed', tone: 'warning', icon: IconQuestion },
  skipped: { word: 'Skipped', tone: 'neutral', icon: IconMinus },
  bounced: { word: 'Bounced', tone: 'bounced', icon: IconBounce },
  complained: { word: 'Complained', tone: 'error', icon: IconComplaint },
  confirmed: { word: 'Confirmed', tone: 'success', icon: IconCheck },
  mailable: { word: 'Can be mailed', tone: 'success', icon: IconCheck },
  left: { word: 'Left', tone: 'neutral', icon: IconBan },
  none: { word: 'On no list', tone: 'neutral', icon: IconMinus },
  accepted: { word: 'Accepted', tone: 'success', icon: IconUser },
  expired: { word: 'Expired', tone: 'neutral', icon: IconWaiting },
  unsubscribed: { word: 'Unsubscribed', tone: 'neutral', icon: IconBan },
  warning: { word: 'Attention', tone: 'warning', icon: IconAlert },
} as const satisfies Record<string, StatusLook>;

export type StatusName = keyof typeof statusLooks;

/** The look of a status. A status that only a newer server knows is shown by its raw name. */
export function lookOf(status: string): StatusLook {
  if (Object.hasOwn(statusLooks, status)) return statusLooks[status as StatusName];
  const words = status.replace(/[-_]+/g, ' ').trim();
  return {
    word: words ? words.charAt(0).toUpperCase() + words.slice(1) : 'Unknown',
    tone: 'neutral',
    icon: IconQuestion,
  };
}
