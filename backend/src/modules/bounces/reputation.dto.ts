import { ApiProperty } from '@nestjs/swagger';

export const REPUTATION_FLAGS = ['none', 'watch', 'alert'] as const;
export type ReputationFlag = (typeof REPUTATION_FLAGS)[number];

/** Outcome of a user's messages over a number of days. */
export class SenderRatesDto {
  /**
   * Messages that mail servers accepted, plus those refused because the mailbox does not exist.
   * @example 4200
   */
  mails: number;

  /**
   * Messages that bounced, plus those refused because the mailbox does not exist.
   * @example 21
   */
  bounced: number;

  /**
   * Messages that were reported as spam.
   * @example 3
   */
  complained: number;

  /**
   * `bounced` divided by `mails`, 0 to 1.
   * @example 0.005
   */
  bounceRate: number;

  /**
   * `complained` divided by the number of delivered mails, 0 to 1.
   * @example 0.000714
   */
  complaintRate: number;
}

/** Bounce and complaint rates of one sender. */
export class SenderReputationDto {
  /**
   * Id of the sender.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  userId: string;

  /** Rates over the last 7 days. */
  last7Days: SenderRatesDto;

  /** Rates over the last 30 days. */
  last30Days: SenderRatesDto;

  /**
   * The worse result of the 7 and the 30 days, each judged only with at least 1,000 mails: watch from a complaint rate
   * of 0.1 %, alert from 0.3 %, else none.
   */
  @ApiProperty({ enum: REPUTATION_FLAGS, example: 'none' })
  flag: ReputationFlag;
}

export const REPORT_RESULTS = ['counted', 'known', 'ignored', 'unknown'] as const;
export type ReportResult = (typeof REPORT_RESULTS)[number];

/** Outcome of processing a report. */
export class ReportReceivedDto {
  /**
   * counted: its effect is stored; known: a repeated report; ignored: it has no effect; unknown: not about our mail.
   */
  @ApiProperty({ enum: REPORT_RESULTS, example: 'counted' })
  result: ReportResult;
}
