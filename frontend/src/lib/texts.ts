/** Validation texts; e2e journeys and tests assert them. */
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

/** A local part, one @ and a domain with a dot. International domains pass; the server decides. */
export const EMAIL = /^[^\s@"]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u;

/**
 * The error of a typed address.
 * @returns undefined if the address is valid
 */
export const emailError = (value: string): string | undefined =>
  value.trim().length <= 254 && EMAIL.test(value.trim()) ? undefined : texts.email;
