/** Reasons for leaving out a row that follow from its content alone. */
export const REFUSED_BY_CONTENT = ['invalid', 'unreadable', 'disposable', 'list_address', 'role', 'dropped'] as const;
/** Reasons for leaving out a row that follow from the account's data, or from other rows of the file. */
export const REFUSED_BY_DATA = ['duplicate', 'suppressed', 'no_domain', 'limit'] as const;
/** Marks: remarks about rows that are imported. */
export const MARKS = ['role', 'mistyped', 'misfit', 'do_not_send'] as const;

export type ContentRefusal = (typeof REFUSED_BY_CONTENT)[number];
export type Refusal = ContentRefusal | (typeof REFUSED_BY_DATA)[number];
export type Mark = (typeof MARKS)[number];
export type GroupCode = Refusal | Mark;

/** Texts of reasons and marks for the user. */
export const REASON_TEXTS: Record<GroupCode, string> = {
  invalid: 'Not an email address',
  unreadable: 'The line is too long or has too many columns',
  duplicate: 'Twice in this file',
  suppressed: 'Unsubscribed or bounced before',
  disposable: 'Disposable address',
  no_domain: 'Domain does not exist',
  list_address: 'Mailing list or no-reply address',
  limit: 'Over the limit of your plan',
  role: 'Role address (jobs@, hr@)',
  dropped: 'You left this domain out',
  mistyped: 'Looks mistyped',
  misfit: 'Value does not fit its column',
  do_not_send: 'On your do-not-send list',
};
