import type { ScheduledSendDto } from '../src/api/endpoints.gen';

/** A scheduled email as returned by the API, due in 2100. */
export const scheduledEmail = (over: Partial<ScheduledSendDto> = {}): ScheduledSendDto => ({
  id: 's1',
  state: 'scheduled',
  reason: null,
  reasonText: null,
  subject: 'Java hotlist',
  emailType: 'job-post',
  lists: [{ id: 'l1', name: 'Java vendors' }],
  at: '2100-12-01T09:00',
  timeZone: 'America/Chicago',
  later: false,
  dueAt: '2100-12-01T15:00:00.000Z',
  estimate: { recipientCount: '812', excluded: { pending: 0, otherType: 0, suppressed: 0, duplicates: 0 } },
  version: 1,
  historyId: null,
  message: 'Leaves Wed, Dec 1 at 9:00 AM CST.',
  send: { emailListIds: ['l1'], emailType: 'job-post', subject: 'Java hotlist', content: 'Hello there' },
  ...over,
});
