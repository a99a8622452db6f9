import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { AbsentIfNull } from '../../../shared/http/index.js';
import { namesLists, SendEmailDto } from '../send.dto.js';
import { TEST_MAIL_STATUSES, type TestMailStatus } from './test-mail.entity.js';

const INVALID = 'Please enter a valid email address';

/** A composition, and the addresses that get it as a test mail. */
export class TestSendDto extends SendEmailDto {
  /**
   * Ids of the chosen lists. A test needs none; the footer names the first one.
   * @example ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d']
   */
  @ApiProperty({ type: [String], required: false })
  @ValidateIf(namesLists)
  @IsString({ each: true, message: 'Choose at least one email list' })
  @ArrayMaxSize(1000, { message: 'At most 1000 email lists can be chosen' })
  @IsArray({ message: 'Choose at least one email list' })
  override emailListIds: string[];

  /**
   * The addresses: the caller's own one and confirmed testers
   * @example ['ann@northline.example']
   */
  @Matches(/^[^\u0000-\u001f\u007f]*$/, { each: true, message: INVALID })
  @MaxLength(320, { each: true, message: INVALID })
  @IsString({ each: true, message: INVALID })
  @ArrayMaxSize(6, { message: 'A test goes to at most 6 addresses' })
  @ArrayMinSize(1, { message: 'Choose at least one address' })
  @IsArray({ message: 'Choose at least one address' })
  to: string[];

  /**
   * Id of a contact whose details replace the merge tags; absent: made-up values
   * @example '7a1e3f5c-8f57-4f0a-9c65-0d6c1d2a9b11'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'asContactId must be the id of a contact' })
  asContactId?: string;
}

/** Result of sending test mails. */
export class TestSentDto {
  /**
   * Number of addresses to which a test mail is sent
   * @example 3
   */
  sent: number;

  /**
   * A sentence to show
   * @example 'Test sent to 3 addresses'
   */
  message: string;
}

/** A test mail to one address. */
export class TestMailDto {
  /**
   * Id of the test mail
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  id: string;

  /** The address; null if it is no longer a tester's. */
  @ApiProperty({ type: String, nullable: true, example: 'ann@northline.example' })
  address: string | null;

  /** Status of the test mail; `sent`: the mail server has accepted it. */
  @ApiProperty({ enum: TEST_MAIL_STATUSES, example: 'sent' })
  status: TestMailStatus;

  /** Why the mail failed or has to wait; null otherwise. */
  @ApiProperty({ type: String, nullable: true, example: 'mailbox unknown' })
  reason: string | null;

  /**
   * When the request was accepted
   * @example '2026-11-20T09:30:00.000Z'
   */
  createdAt: string;
}
