import type { KindSettingDto } from '../../api/endpoints.gen';

export type ChosenKind = KindSettingDto['kind'];

/** Names of the kinds, in the settings and on the page to which a mail's link leads. */
export const kindNames: Record<ChosenKind, string> = {
  'send.finished': 'A send has finished',
  'send.stopped': 'A send has stopped',
  'schedule.blocked': 'A scheduled email needs attention',
  'import.finished': 'An import has finished',
  'reputation.warning': 'Bounces are rising',
};
