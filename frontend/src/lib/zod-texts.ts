import { z } from 'zod';

/** The validation texts of product.md section 5, and the rules they belong to, once. */
export const texts = {
  email: 'Please enter a valid email address',
  subscriptionType: 'Please select a subscription type',
  role: 'Please select a role',
  firstName: 'First name is required',
  lastName: 'Last name is required',
  passwordShort: 'Password must be at least 8 characters',
  passwordLong: 'Password must be at most 256 characters',
  passwordsDiffer: 'Passwords do not match',
  passwordMissing: 'Password is required',
  resetToken: 'Reset token is required',
  listName: 'List name is required',
  logoUrl: 'Please enter an https address',
  tooLong: (max: number) => `Please use at most ${max.toLocaleString('en-US')} characters`,
} as const;

const capped = (max: number) => z.string().trim().max(max, texts.tooLong(max));

/** One @ with something before it and a dotted domain behind it; international domains pass, the server has the last word. */
const EMAIL = /^[^\s@"]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u;

export const emailField = z.string().trim().max(254, texts.email).regex(EMAIL, texts.email);
export const newPasswordField = z.string().min(8, texts.passwordShort).max(256, texts.passwordLong);
export const currentPasswordField = z.string().min(1, texts.passwordMissing);
export const firstNameField = capped(100).min(1, texts.firstName);
export const lastNameField = capped(100).min(1, texts.lastName);
export const optionalText = (max: number) => capped(max);

/** An optional https address, empty allowed. */
export const logoField = capped(2048).refine((value) => value === '' || /^https:\/\/[^\s]+\.[^\s]+$/i.test(value), texts.logoUrl);

/** An optional text that is empty counts as absent. */
export const orAbsent = (value: string | undefined): string | undefined => value?.trim() || undefined;
