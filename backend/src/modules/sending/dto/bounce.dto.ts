import { ApiProperty } from '@nestjs/swagger';

export const REPORT_RESULTS = ['counted', 'known', 'ignored', 'unknown'] as const;
export type ReportResult = (typeof REPORT_RESULTS)[number];

/** What became of a report. */
export class ReportReceivedDto {
  /** counted: its effect is stored; known: it was before; ignored: it changes nothing; unknown: it is about no mail of ours. */
  @ApiProperty({ enum: REPORT_RESULTS, example: 'counted' })
  result: ReportResult;
}
