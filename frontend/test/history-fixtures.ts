export const item = (over = {}) => ({
  id: 'h1',
  subject: 'A job',
  emailType: 'job-post',
  recipientCount: '100',
  sentAt: '2026-01-05T10:00:00Z',
  status: 'sent',
  outcome: { sent: 1240, failed: 4, bounced: 0 },
  ...over,
});
