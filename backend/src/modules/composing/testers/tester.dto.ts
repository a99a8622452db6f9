import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { EmailText } from '../../../shared/http/requests/text.decorators.js';

/** The address of a new tester. */
export class AddTesterDto {
  /**
   * Address of the tester, which gets one confirmation mail
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

/** States of a tester. waiting: has not confirmed yet. */
export const TESTER_STATES = ['waiting', 'confirmed'] as const;
export type TesterState = (typeof TESTER_STATES)[number];

/** An address to which the user may send tests. */
export class TesterDto {
  /**
   * Id of the tester
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Address of the tester
   * @example 'maya@northline.example'
   */
  address: string;

  /** waiting: the address is not confirmed yet, so no test is sent to it. */
  @ApiProperty({ enum: TESTER_STATES, example: 'confirmed' })
  state: TesterState;

  /**
   * When the tester was added
   * @example '2026-11-20T09:30:00.000Z'
   */
  createdAt: string;
}
