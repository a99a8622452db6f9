import { conflict, invalid, notFound } from '../../shared/errors/app-error.js';

export const unknownProvider = () => notFound('Mail account not found');
export const providerNameTaken = () => conflict('provider_name_taken', 'Another mail account has this name');
export const providerIsDefault = () => conflict('provider_is_default', 'Make another mail account the default first');
export const providerNotActive = () => conflict('provider_not_active', 'Switch the mail account on first');
export const secretMissing = (name: string) => invalid('apiKeyRef', `The configuration has no setting ${name}`);
export const configRefused = (field: string, message: string) => invalid(`config.${field}`, message);
export const passwordWanted = () =>
  invalid('currentPassword', 'Enter your password to send mail through another server');
export const wrongPassword = () => invalid('currentPassword', 'Your current password is not right');
export const badTestAddress = () => invalid('to', 'Please enter a valid email address');
