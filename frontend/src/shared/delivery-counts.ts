/**
 * Counts as the server sends them: `unconfirmed` is a part of `sent`; a server of an earlier release does not send it.
 */
interface SentCounts {
  sent: number;
  unconfirmed?: number;
}

/** Separates messages that a mail server accepted from those whose transfer ended without its reply. */
export const deliveryCounts = ({ sent, unconfirmed = 0 }: SentCounts) => ({
  delivered: sent - unconfirmed,
  unconfirmed,
});
