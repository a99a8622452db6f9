/** Counts as the server tells them: `unconfirmed` is a part of `sent`; a server of an earlier release tells none. */
interface SentCounts {
  sent: number;
  unconfirmed?: number;
}

/** Messages that a mail server took, apart from those whose transfer ended without its reply. */
export const deliveryCounts = ({ sent, unconfirmed = 0 }: SentCounts) => ({
  delivered: sent - unconfirmed,
  unconfirmed,
});
