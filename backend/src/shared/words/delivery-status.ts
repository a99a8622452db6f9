/** Status of one message to one recipient (decisions.md D26). */
export const DELIVERY_STATUSES = [
  'queued', 'sending', 'deferred', 'sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Statuses whose fate is not known yet. */
export const OPEN_DELIVERY_STATUSES = ['queued', 'sending', 'deferred'] as const satisfies readonly DeliveryStatus[];
