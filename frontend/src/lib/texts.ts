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

/** One @ with something before it and a dotted domain behind it; international domains pass, the server has the last word. */
export const EMAIL = /^[^\s@"]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u;
