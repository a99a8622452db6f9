/** Why a send reached nobody. */
export const STOP_REASONS = ['refused', 'unknown_addresses', 'unreachable', 'file_withdrawn', 'nobody'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** What each kind of notification tells. Ids lead to a screen; texts are the account's own. */
export interface NotificationParams {
  /** `seconds`: from acceptance to the last result. */
  'send.finished': { sendId: string; subject: string; delivered: number; recipients: number; seconds: number };
  'send.stopped': { sendId: string; subject: string; reason: StopReason };
  /** `reason`: a sentence for people. */
  'schedule.blocked': { scheduledId: string; subject: string; reason: string };
  /** `failure`: absent for a successful import. `listName`: null for an import without a list. */
  'import.finished': {
    importId: string;
    isDirect: boolean;
    listId: string | null;
    listName: string | null;
    added: number;
    refused: number;
    failure?: 'no_addresses' | 'file' | 'fault';
  };
  /** Share of the week's messages that bounced, from 0 to 1. */
  'reputation.warning': { bounceRate: number };
  /** Our mail to the account came back twice, or was reported as spam: no more notifications are mailed. */
  'mail.off': { reason: 'bounced' | 'complained' };
}
export type NotificationKind = keyof NotificationParams;

/** A notification as its cause writes it. */
export type Notice = {
  [Kind in NotificationKind]: {
    userId: string;
    kind: Kind;
    /** While a notification of the user under this key is unread, a further one makes it grow: of a send its id, of an import its list. */
    groupKey: string;
    params: NotificationParams[Kind];
    /** Number of events that it reports; default 1. They add up while it is unread. */
    count?: number;
  };
}[NotificationKind];

/** When a kind is mailed: within seconds, once a day with everything else that is unread, or not at all. */
export const MAIL_CHOICES = ['now', 'summary', 'never'] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

interface KindRules {
  /** Unless the user chose otherwise. */
  mail: MailChoice;
  /** Numbers of its params that add up while it is unread. */
  sums?: readonly string[];
  /** Too small for the daily summary; with "At once" it is mailed all the same. */
  isMinor?: (params: never) => boolean;
}

/** A send that ends sooner ends while its sender watches. */
const LONG_SEND_SECONDS = 600;

export const KIND_RULES = {
  'send.finished': {
    mail: 'summary',
    isMinor: ({ seconds }: NotificationParams['send.finished']) => seconds <= LONG_SEND_SECONDS,
  },
  'send.stopped': { mail: 'now' },
  'schedule.blocked': { mail: 'now' },
  'import.finished': { mail: 'never', sums: ['added', 'refused'] },
  'reputation.warning': { mail: 'summary' },
  'mail.off': { mail: 'never' },
} as const satisfies Record<NotificationKind, KindRules>;

export const NOTIFICATION_KINDS = Object.keys(KIND_RULES) as NotificationKind[];

/** Kinds that users decide about, in the order of the settings. `mail.off` is no choice: it says why mail has stopped. */
export const CHOSEN_KINDS = [
  'send.finished',
  'send.stopped',
  'schedule.blocked',
  'import.finished',
  'reputation.warning',
] as const satisfies readonly NotificationKind[];
export type ChosenKind = (typeof CHOSEN_KINDS)[number];

/** Hour of the summary, in the user's time zone, unless the user chose another. */
export const DEFAULT_SUMMARY_HOUR = 8;

/** Rules of a kind, as `add` reads them. */
export const rulesOf = (kind: NotificationKind): KindRules => KIND_RULES[kind];
