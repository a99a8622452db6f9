/** The texts of 'Send a test'. */
export const testMessages = {
  title: 'Send a test',
  dialogFailed: 'The dialog could not be loaded. Please try again.',
  failed: 'The test could not be sent. Please try again.',
  addFailed: 'The tester could not be added. Please try again.',
  removeFailed: 'The tester could not be removed. Please try again.',
  testersFailed: 'Your testers could not be loaded.',
  testsFailed: 'Your last tests could not be loaded.',
  unverified: 'Verify your email address first.',
  addHint: 'They get one mail to confirm. Then you can send them tests.',
  full: 'You have 5 testers already',
} as const;
