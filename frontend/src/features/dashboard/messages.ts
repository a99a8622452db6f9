/** The words of product.md section 8 for the dashboard, and those of its charts. */
export const messages = {
  statsFailed: 'Failed to load dashboard statistics',
  chartsFailed: 'The charts could not be loaded.',
  outcomesFailed: 'The outcome of your last sends could not be loaded.',
  quiet: 'Nothing has happened yet',
  quietText: 'Create a list and add contacts: what happens with them is told here.',
  noSends: 'No sends in the last 30 days',
  noSendsText: 'What you send, and what becomes of it, is drawn here.',
  noGrowth: 'No contacts came or left in the last 30 days',
} as const;
