import { PRODUCT_NAME } from '../../lib/product';

/** The words of product.md sections 2 and 8 for a person's own account. */
export const messages = {
  welcome: `Welcome to ${PRODUCT_NAME}`,
  tryAgain: 'Please try again',
  updateFailed: 'Update Failed',
  updated: 'Profile Updated!',
} as const;
