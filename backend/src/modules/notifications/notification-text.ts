import type { NotificationKind, NotificationParams, StopReason } from './notification-kinds.js';

/** A notification as text. */
export interface NotificationText {
  /** What happened. Names no person, because it is also the subject of a mail. */
  text: string;
  /**
   * What the event concerns, in the account's own words, such as the subject of a send; null if `text` says everything.
   */
  detail: string | null;
  /** Path of the screen that the notification links to. */
  url: string;
}

type Texts = { [Kind in NotificationKind]: (params: NotificationParams[Kind], count: number) => NotificationText };

const STOPPED: Record<StopReason, string> = {
  refused: 'the mail server refuses us',
  unknown_addresses: 'the addresses do not exist',
  unreachable: 'the mail servers could not be reached',
  file_withdrawn: 'an attached file was taken down or contains a virus',
  file_lost: 'an attached file is no longer stored',
  nobody: 'nobody could be mailed any more',
};
const IMPORT_FAILED: Record<NonNullable<NotificationParams['import.finished']['failure']>, string> = {
  no_addresses: 'no addresses were found',
  file: 'the file cannot be read',
  fault: 'something went wrong on our side',
};

const number = (value: number): string => value.toLocaleString('en-US');
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const TEXTS: Texts = {
  'send.finished': ({ sendId, subject, delivered, recipients }) => ({
    text: `Send finished: ${number(delivered)} of ${number(recipients)} delivered`,
    detail: subject,
    url: `/history/${sendId}`,
  }),
  'send.stopped': ({ sendId, subject, reason }) => ({
    text: `Send stopped: ${STOPPED[reason]}`,
    detail: subject,
    url: `/history/${sendId}`,
  }),
  'schedule.blocked': ({ subject, reason }) => ({
    text: 'Scheduled email needs attention',
    detail: `${subject}: ${reason}`,
    url: '/scheduled',
  }),
  'import.finished': ({ importId, isDirect, listId, listName, added, refused, failure }, count) => ({
    text: failure
      ? `Import failed: ${IMPORT_FAILED[failure]}`
      : `Import finished: ${number(added)} added, ${number(refused)} refused`,
    detail: [listName, ...(count > 1 ? [`${number(count)} imports`] : [])].filter(Boolean).join(', ') || null,
    url: listId && (isDirect || count > 1) ? `/lists/${listId}` : `/contacts/import/${importId}`,
  }),
  'reputation.warning': ({ bounceRate }) => ({
    text: `Bounces rising: ${percent(bounceRate)} this week`,
    detail: 'Mail to addresses that do not exist harms your delivery. Check where your newest contacts came from.',
    url: '/history',
  }),
  'mail.off': ({ reason }) => ({
    text: 'We have stopped mailing you notifications',
    detail:
      reason === 'bounced' ? 'Our mail to your address came back twice.' : 'Our mail to you was reported as spam.',
    url: '/settings#notifications',
  }),
};

/** Text and link of a notification, from its kind and params. */
export function textOf<Kind extends NotificationKind>(
  kind: Kind,
  params: NotificationParams[Kind],
  count: number,
): NotificationText {
  return TEXTS[kind](params, count);
}
