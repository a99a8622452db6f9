/** Result of a claim, as written to the row. */
export interface DeliveryResult {
  id: string;
  attempt: number;
  status: 'sent' | 'deferred' | 'queued' | 'failed' | 'skipped' | 'unconfirmed';
  messageId?: string;
  /** Id of the mail account that was used, if it differs from the one in the row. */
  usedAccountId?: string;
  metadata?: Record<string, unknown>;
  /** Seconds until the next try, if there is one. */
  pauseSeconds?: number;
  deferral?: boolean;
  ambiguous?: boolean;
  /** Label of the mailbox provider in the metrics. */
  providerLabel?: string;
}

/**
 * A result in the format of the result log's files. Its keys must not change, because workers of other releases read
 * these files.
 */
export interface StoredResult extends Omit<DeliveryResult, 'usedAccountId'> {
  /** Holds `usedAccountId`, in spite of the name: the id of a mail account. */
  provider?: string;
  usedAccountId?: undefined;
}

/** Converts a result to the format of the result log. The statement that writes results takes the same format. */
export function storedResult(result: DeliveryResult | StoredResult): StoredResult {
  const { usedAccountId: provider, ...rest } = result;
  return provider === undefined ? rest : { ...rest, provider };
}
