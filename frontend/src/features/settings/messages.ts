import { PRODUCT_NAME } from '../../lib/product';

/** Texts of the settings; e2e journeys and tests assert them. */
export const messages = {
  welcome: `Welcome to ${PRODUCT_NAME}`,
  tryAgain: 'Please try again',
  updateFailed: 'Update Failed',
  updated: 'Profile Updated!',
  profileSaved: 'Your profile is saved.',
  pictureSaved: 'Your picture is saved.',
  pictureRemoved: 'Your picture is removed.',
  pictureUnreadable: 'This file is not a picture that can be read. Please choose a PNG, JPEG or WebP.',
  passwordChanged: 'Password changed',
  passwordChangedText: 'All your other devices are signed out.',
  signedOut: 'Device signed out',
  othersSignedOut: 'All other devices are signed out.',
  signOutFailed: 'Not signed out',
  devicesFailed: 'Your devices could not be loaded.',
  fieldsFailed: 'The fields could not be loaded.',
  tagsFailed: 'The tags could not be loaded.',
  securityFailed: 'The security events could not be loaded.',
  deleted: 'Account deleted',
  deleteFailed: 'Delete Failed',
} as const;
