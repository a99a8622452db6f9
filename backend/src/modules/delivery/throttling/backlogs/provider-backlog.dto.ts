import { ApiProperty } from '@nestjs/swagger';

/** Traffic, limit and backlog of a mail account at one mailbox provider. */
export class ProviderBacklogDto {
  /**
   * Name of the mail account.
   * @example 'smtp'
   */
  account: string;

  /**
   * Name of a large provider (google, microsoft, yahoo, apple), else the recipients' domain.
   * @example 'google'
   */
  provider: string;

  /**
   * Accepted messages per second in the last full minute.
   * @example 12.5
   */
  rateNow: number;

  /** Current limit in messages per second; null: none. */
  @ApiProperty({ type: Number, nullable: true, example: 20 })
  perSecond: number | null;

  /**
   * Number of replies in the last hour that asked for a lower rate.
   * @example 3
   */
  refusedLastHour: number;

  /**
   * Number of messages in the backlog.
   * @example 1200
   */
  waiting: number;

  /** When the backlog is expected to be delivered; null: no backlog or no limit. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-22T09:30:00.000Z' })
  expectedEnd: string | null;

  /** Until when mail to the provider is paused after policy refusals; null: it is not paused. */
  @ApiProperty({ type: String, nullable: true, example: null })
  pausedUntil: string | null;

  /** The provider's last reply that asked for a lower rate. */
  @ApiProperty({ type: String, nullable: true, example: '421 4.7.28 Our system has detected an unusual rate of mail' })
  lastAnswer: string | null;
}
