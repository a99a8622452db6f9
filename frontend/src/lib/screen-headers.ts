/**
 * Title and description of screens where these never change: the prerendered page shows them before any script has run.
 */
export const screenHeaders = {
  dashboard: {
    title: 'Dashboard',
    description: 'What went out in the last 30 days, what came of it, and who joined.',
  },
  lists: {
    title: 'Email Lists',
    description: 'Who you write to. Only contacts who confirmed receive a send.',
  },
  history: { title: 'Send History', description: 'Every send with its recipients and results.' },
  scheduled: { title: 'Scheduled', description: 'What leaves at a time you set, and what needs your attention.' },
  send: { title: 'Send Email', description: 'Choose who gets it, write it, look at it, send it.' },
} as const;

export type ScreenHeader = (typeof screenHeaders)[keyof typeof screenHeaders];
