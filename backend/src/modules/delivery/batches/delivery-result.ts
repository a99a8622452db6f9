/** Result of a claim, as it is written to the row. */
export interface DeliveryResult {
  id: string;
  attempt: number;
  status: 'sent' | 'deferred' | 'queued' | 'failed' | 'skipped' | 'unconfirmed';
  messageId?: string;
  /** Id of the mail account that was used, where it differs from the one in the row. */
  usedAccountId?: string;
  metadata?: Record<string, unknown>;
  /** Seconds until the next try, where there is one. */
  pauseSeconds?: number;
  deferral?: boolean;
  ambiguous?: boolean;
  /** Label of the mailbox provider in the metrics. */
  providerLabel?: string;
}

/** A result as the files of the result log have it. Its keys stay: workers of other releases read these files. */
export interface StoredResult extends Omit<DeliveryResult, 'usedAccountId'> {
  /** `usedAccountId`; not a mailbox provider. */
  provider?: string;
  usedAccountId?: undefined;
}

/** A result as the result log and the statement that writes results have it. */
export function storedResult(result: DeliveryResult | StoredResult): StoredResult {
  const { usedAccountId: provider, ...rest } = result;
  return provider === undefined ? rest : { ...rest, provider };
}
