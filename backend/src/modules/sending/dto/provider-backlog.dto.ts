import { ApiProperty } from '@nestjs/swagger';

/** What a mail account brings to one mailbox provider, and what holds it back. */
export class ProviderBacklogDto {
  /**
   * Name of the mail account.
   * @example 'smtp'
   */
  account: string;

  /**
   * A large provider (google, microsoft, yahoo, apple), else the recipients' domain.
   * @example 'google'
   */
  provider: string;

  /**
   * Messages a second that it took in the last whole minute.
   * @example 12.5
   */
  rateNow: number;

  /** Messages a second that it may be given now; null: no limit. */
  @ApiProperty({ type: Number, nullable: true, example: 20 })
  perSecond: number | null;

  /**
   * Its answers within an hour that asked for less mail.
   * @example 3
   */
  refusedLastHour: number;

  /**
   * Messages that wait for it.
   * @example 1200
   */
  waiting: number;

  /** When all that waits is through at the present rate; null: nothing waits, or nothing limits it. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-22T09:30:00.000Z' })
  expectedEnd: string | null;

  /** Nothing goes to it before: it refused our mail as such; null: it is not paused. */
  @ApiProperty({ type: String, nullable: true, example: null })
  pausedUntil: string | null;

  /** What it said when it last asked for less. */
  @ApiProperty({ type: String, nullable: true, example: '421 4.7.28 Our system has detected an unusual rate of mail' })
  lastAnswer: string | null;
}
