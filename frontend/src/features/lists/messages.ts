/** The words of product.md section 8 for lists. */
export const messages = {
  createFailed: 'Creation Failed',
  createFailedText: 'Failed to create the email list. Please try again.',
  created: 'List Created!',
  updateFailed: 'Update Failed',
  updateFailedText: 'Failed to update the email list. Please try again.',
  updated: 'List Updated!',
  deleteFailed: 'Delete Failed',
  deleteFailedText: 'Failed to delete the email list. Please try again.',
  deleted: 'List Deleted!',
  loadFailed: 'Your lists could not be loaded.',
} as const;
