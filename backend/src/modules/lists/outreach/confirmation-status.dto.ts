import { ApiProperty } from '@nestjs/swagger';
import { EmailListDto } from '../my-lists/email-list.dto.js';

/** Why a list's confirmation mails are held. */
export const CONFIRMATION_HOLDS = ['daily_budget', 'few_confirmed', 'many_bounced', 'unverified'] as const;
export type ConfirmationHold = (typeof CONFIRMATION_HOLDS)[number];

/** State of a list's confirmation mails. */
export class ConfirmationStatusDto {
  /**
   * Number of contacts whose confirmation mail has not gone out; counted up to 10,000
   * @example 1940
   */
  waiting: number;

  /**
   * Why the mails wait: `daily_budget` (the budget of mails to new people for 24 hours is used up), `few_confirmed` or
   * `many_bounced` (the account's mails to new people are stopped), `unverified` (the account's address is not
   * verified); null if they are on their way, or none wait
   */
  @ApiProperty({ enum: CONFIRMATION_HOLDS, nullable: true, example: 'daily_budget' })
  hold: ConfirmationHold | null;

  /**
   * Mails to new people (confirmation mails and invites, over all lists) that the account may cause in 24 hours; null
   * for the network
   */
  @ApiProperty({ type: Number, nullable: true, example: 50 })
  dailyBudget: number | null;

  /** Number of mails to new people that were sent in the last 24 hours; null for the network */
  @ApiProperty({ type: Number, nullable: true, example: 40 })
  sentIn24Hours: number | null;

  /** When further mails can be sent; null unless the budget is used up */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-07T00:00:00.000Z' })
  continuesAt: string | null;
}

/** A list with the state of its confirmation mails. */
export class EmailListDetailDto extends EmailListDto {
  /** State of the list's confirmation mails. */
  confirmations: ConfirmationStatusDto;
}
