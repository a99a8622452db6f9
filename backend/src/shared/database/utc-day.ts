/** SQL expression of today's date in UTC, by the database's clock: one day for all users and instances, whatever time zone they choose. */
export const UTC_TODAY = `(now() at time zone 'UTC')::date`;
