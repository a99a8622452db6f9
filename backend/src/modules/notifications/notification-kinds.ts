/** Why a send reached nobody. */
export const STOP_REASONS = [
  'refused',
  'unknown_addresses',
  'unreachable',
  'file_withdrawn',
  'file_lost',
  'nobody',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Data of each kind of notification. Ids link to a screen; texts are the account's own. */
export interface NotificationParams {
  /** `seconds`: from acceptance to the last result. */
  'send.finished': { sendId: string; subject: string; delivered: number; recipients: number; seconds: number };
  'send.stopped': { sendId: string; subject: string; reason: StopReason };
  /** `reason`: a sentence for the user. */
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
  /** Two mails to the account bounced, or one was reported as spam, so notifications are no longer mailed. */
  'mail.off': { reason: 'bounced' | 'complained' };
}
export type NotificationKind = keyof NotificationParams;

/** A notification to write. */
export type Notice = {
  [Kind in NotificationKind]: {
    userId: string;
    kind: Kind;
    /**
     * While the user has an unread notification with this key, a new one is merged into it. Examples: `send:{id}`,
     * `import:{list id}`.
     */
    groupKey: string;
    params: NotificationParams[Kind];
    /** Number of events that the notification reports; default 1. The counts of merged notifications are added up. */
    count?: number;
  };
}[NotificationKind];

/** When a kind is mailed: within seconds, once a day with everything else that is unread, or not at all. */
export const MAIL_CHOICES = ['now', 'summary', 'never'] as const;
export type MailChoice = (typeof MAIL_CHOICES)[number];

interface KindRules {
  /** Default choice; users can change it. */
  mail: MailChoice;
  /** Names of numeric params that are added up when notifications are merged. */
  sums?: readonly string[];
  /** Whether a notification is too minor for the daily summary. It is mailed anyway if the user chose "At once". */
  isMinor?: (params: never) => boolean;
}

/** Sends up to this duration are minor, because the sender probably watched them end. */
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

/**
 * Kinds that users can set, in the order of the settings. `mail.off` is not among them, because it reports that mail
 * has stopped.
 */
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

/** Rules of a kind, in the type that `Notifications.add` needs. */
export const rulesOf = (kind: NotificationKind): KindRules => KIND_RULES[kind];
