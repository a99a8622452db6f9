import type { KindSettingDto } from '../../api/endpoints.gen';

export type NotificationKind = KindSettingDto['kind'];

/** What each kind tells, as its row of the settings and the page behind a mail's link name it. */
export const kindNames: Record<NotificationKind, string> = {
  'send.finished': 'A send has finished',
  'send.stopped': 'A send has stopped',
  'schedule.blocked': 'A scheduled email needs attention',
  'import.finished': 'An import has finished',
  'reputation.warning': 'Bounces are rising',
};
