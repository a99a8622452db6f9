/** Properties of the field for the optional reason of an admin action. */
export const reasonField = {
  name: 'reason',
  label: 'Reason',
  optional: true,
  maxLength: 300,
  helperText: 'Kept in the activity log with your name.',
} as const;
