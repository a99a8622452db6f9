export const messages = {
  sendDone: 'Send Finished',
  sendFailed: 'Send Failed',
  sendCancelled: 'Send Cancelled',
  importDone: 'Contacts Added!',
  importFailed: 'Failed to Add Contacts',
  importFault: 'An error occurred',
} as const;
