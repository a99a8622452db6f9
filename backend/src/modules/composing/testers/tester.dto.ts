import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { EmailText } from '../../../shared/http/requests/text.decorators.js';

/** An address to add. */
export class AddTesterDto {
  /**
   * The tester's address; it gets one mail to confirm
   * @example 'maya@northline.example'
   */
  @Matches(/^[^\u0000-\u001f\u007f]*$/, { message: 'Please enter a valid email address' })
  @EmailText()
  address: string;
}

/** The token of a confirmation mail. */
export class ConfirmTesterDto {
  /**
   * Token of the link
   * @example 'kX2v7Yt0mTqkq3o8mQv7c1b2V5n4P6r8s0uWxYzAbCd'
   */
  @MaxLength(200)
  @IsString()
  token: string;
}

/** Whether a tester has confirmed. */
export const TESTER_STATES = ['waiting', 'confirmed'] as const;
export type TesterState = (typeof TESTER_STATES)[number];

/** An address to which the user may send tests. */
export class TesterDto {
  /**
   * Id
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * The address
   * @example 'maya@northline.example'
   */
  address: string;

  /** waiting: nobody has confirmed yet, and no test goes there. */
  @ApiProperty({ enum: TESTER_STATES, example: 'confirmed' })
  state: TesterState;

  /**
   * When it was added
   * @example '2026-11-20T09:30:00.000Z'
   */
  createdAt: string;
}
