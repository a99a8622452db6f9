import { ApiProperty } from '@nestjs/swagger';

export const REPUTATION_FLAGS = ['none', 'watch', 'alert'] as const;
export type ReputationFlag = (typeof REPUTATION_FLAGS)[number];

/** What became of a user's messages over some days. */
export class SenderRatesDto {
  /**
   * Messages that mail servers accepted, or refused for an unknown mailbox.
   * @example 4200
   */
  mails: number;

  /**
   * Bounced, or refused for an unknown mailbox.
   * @example 21
   */
  bounced: number;

  /**
   * Reported as spam.
   * @example 3
   */
  complained: number;

  /**
   * bounced as a share of mails, 0 to 1.
   * @example 0.005
   */
  bounceRate: number;

  /**
   * complained as a share of the mails that were delivered, 0 to 1.
   * @example 0.000714
   */
  complaintRate: number;
}

/** How a user's mail is received. */
export class SenderReputationDto {
  /**
   * Id of the sender.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  userId: string;

  /** The last 7 days. */
  last7Days: SenderRatesDto;

  /** The last 30 days. */
  last30Days: SenderRatesDto;

  /** watch: complaints of 0.1 % or more; alert: of 0.3 % or more; on at least 1,000 mails of the 7 or 30 days. */
  @ApiProperty({ enum: REPUTATION_FLAGS, example: 'none' })
  flag: ReputationFlag;
}

export const REPORT_RESULTS = ['counted', 'known', 'ignored', 'unknown'] as const;
export type ReportResult = (typeof REPORT_RESULTS)[number];

/** Result of a report. */
export class ReportReceivedDto {
  /** counted: its effect is stored; known: repeated report; ignored: without effect; unknown: not about our mail. */
  @ApiProperty({ enum: REPORT_RESULTS, example: 'counted' })
  result: ReportResult;
}
