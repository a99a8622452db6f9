import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';
import { SEND_TYPES, type SendType } from '../../shared/enums.js';
import { AbsentIfNull, PageQuery, SkipValidation } from '../../shared/http/index.js';
import { TimeZoneField } from '../auth/index.js';
import { ExcludedDto, SendEmailDto } from '../sending/index.js';
import { LOCAL_TIME } from './due/due-time.js';
import { SCHEDULED_STATES, type ScheduledState } from './scheduled-send.entity.js';

const NO_TIME = { message: 'Enter a date and a time' };
const NO_VERSION = { message: 'version must be the version of the scheduled email' };

const STATE_FILTERS = [...SCHEDULED_STATES, 'open'] as const;

/** Filter and order of scheduled sends. `sort` takes dueAt and subject, with a leading minus for descending. */
export class ScheduledQuery extends PageQuery {
  /** Only emails in this state; open: scheduled, leaving or blocked. */
  @ApiProperty({ enum: STATE_FILTERS, required: false, example: 'open' })
  @IsOptional()
  @IsIn(STATE_FILTERS, { message: 'Unknown state' })
  state?: (typeof STATE_FILTERS)[number];

  /**
   * Only emails that go to this list.
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @IsOptional()
  @IsString()
  listId?: string;
}

/** An email and the time at which it leaves. */
export class ScheduleSendDto {
  /** The body of `POST /api/send-email`. Its draft becomes the scheduled email and cannot be sent again. */
  @ApiProperty({ type: SendEmailDto })
  @SkipValidation()
  send: SendEmailDto;

  /**
   * Local time at which the email leaves, to the minute; from one minute to 180 days ahead. A time that a clock change
   * skips is refused: 400 `time_skipped`.
   * @example '2026-12-01T09:00'
   */
  @Matches(LOCAL_TIME, NO_TIME)
  @IsString(NO_TIME)
  at: string;

  /**
   * IANA time zone of the local time.
   * @example 'America/Chicago'
   */
  @TimeZoneField()
  timeZone: string;

  /**
   * true: the second occurrence of a local time that occurs twice because clocks go back.
   * @example false
   */
  @AbsentIfNull()
  @IsOptional()
  @IsBoolean({ message: 'later must be true or false' })
  later?: boolean;
}

/** Changes to a scheduled email; absent fields keep their values. A blocked email is scheduled again. */
export class ChangeScheduledDto {
  /** The complete changed email, as the body of `POST /api/send-email`. */
  @ApiProperty({ type: SendEmailDto, required: false })
  @SkipValidation()
  send?: SendEmailDto;

  /**
   * Local time at which the email leaves.
   * @example '2026-12-01T09:00'
   */
  @AbsentIfNull()
  @IsOptional()
  @Matches(LOCAL_TIME, NO_TIME)
  @IsString(NO_TIME)
  at?: string;

  /**
   * IANA time zone of the local time.
   * @example 'America/Chicago'
   */
  @AbsentIfNull()
  @IsOptional()
  @TimeZoneField()
  timeZone?: string;

  /**
   * true: the second occurrence of a local time that occurs twice because clocks go back.
   * @example false
   */
  @AbsentIfNull()
  @IsOptional()
  @IsBoolean({ message: 'later must be true or false' })
  later?: boolean;

  /**
   * Version that the change is based on. 409 `version_conflict` if a newer version was saved since.
   * @example 1
   */
  @ApiProperty({ type: 'integer', example: 1 })
  @Max(2_147_483_647, NO_VERSION)
  @Min(1, NO_VERSION)
  @IsInt(NO_VERSION)
  @Type(() => Number)
  version: number;
}

/** Estimated recipients of a scheduled email, as of its last change. */
export class EstimateDto {
  /**
   * Number of recipients, as a numeric string.
   * @example '812'
   */
  recipientCount: string;

  /**
   * true if the number is an estimate, because an exact count would have taken too long.
   * @example true
   */
  @ApiProperty({ type: Boolean, required: false })
  isAbout?: boolean;

  /** Numbers of left-out contacts, by reason. */
  excluded: ExcludedDto;
}

/** A list that a scheduled email goes to. */
export class ScheduledListDto {
  /**
   * Id of the list.
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Name of the list.
   * @example 'Java developers'
   */
  name: string;
}

/** A scheduled email. */
export class ScheduledSendDto {
  /**
   * Id of the scheduled email.
   * @example '3b1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /** leaving: due and about to be accepted. blocked: needs attention, see reason. */
  @ApiProperty({ enum: SCHEDULED_STATES, example: 'scheduled' })
  state: ScheduledState;

  /**
   * Why the email is blocked: missed, no_lists, suspended, or the error code of send-email. In state leaving: why the
   * email waits.
   * @example 'daily_limit'
   */
  @ApiProperty({ type: String, nullable: true, example: null })
  reason: string | null;

  /** The reason as a text for the user. */
  @ApiProperty({ type: String, nullable: true, example: null })
  reasonText: string | null;

  /**
   * Subject line.
   * @example 'Senior Java developer, Austin TX'
   */
  subject: string;

  /** Type of the email. */
  @ApiProperty({ enum: SEND_TYPES, example: 'job-post' })
  emailType: SendType;

  /** The chosen lists that still exist. */
  lists: ScheduledListDto[];

  /**
   * Local time at which the email leaves.
   * @example '2026-12-01T09:00'
   */
  at: string;

  /**
   * IANA time zone of the local time.
   * @example 'America/Chicago'
   */
  timeZone: string;

  /**
   * true: the second occurrence of a local time that occurs twice because clocks go back.
   * @example false
   */
  later: boolean;

  /**
   * When the email leaves, in UTC.
   * @example '2026-12-01T15:00:00.000Z'
   */
  dueAt: string;

  /** Estimated recipients of the email. */
  estimate: EstimateDto;

  /**
   * Increases with every change. A change must name the version it is based on.
   * @example 1
   */
  @ApiProperty({ type: 'integer', example: 1 })
  version: number;

  /** Id of the send that the email became; null: it has not left yet. */
  @ApiProperty({ type: String, nullable: true, example: null })
  historyId: string | null;

  /**
   * When the email leaves, as a sentence for the user.
   * @example 'Leaves Tue, Dec 1 at 9:00 AM CST.'
   */
  message: string;

  /** The email, as the body of `POST /api/send-email`. */
  @ApiProperty({ type: SendEmailDto })
  send: SendEmailDto;
}

/** A scheduled email in the list, without its message. */
export class ScheduledSummaryDto extends OmitType(ScheduledSendDto, ['send']) {}
