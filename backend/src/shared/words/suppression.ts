/** Why an address must not be mailed. */
export const SUPPRESSION_REASONS = ['unsubscribed', 'bounced', 'complained'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** How far it reaches: one owner's lists, the shared network for every sender, or all mail. */
export const SUPPRESSION_SCOPES = ['owner', 'network', 'all'] as const;
export type SuppressionScope = (typeof SUPPRESSION_SCOPES)[number];
