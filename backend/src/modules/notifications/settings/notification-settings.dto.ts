import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { CHOSEN_KINDS, type ChosenKind, MAIL_CHOICES, type MailChoice } from '../notification-kinds.js';

/** A user's choice for one kind of notification. */
export class KindSettingDto {
  /** The kind. */
  @ApiProperty({ enum: CHOSEN_KINDS, example: 'send.finished' })
  @IsIn(CHOSEN_KINDS)
  kind: ChosenKind;

  /**
   * Whether notifications of this kind are in the list under the bell
   * @example true
   */
  @IsBoolean()
  inApp: boolean;

  /** When notifications of this kind are mailed: within seconds, once a day with everything unread, or not at all. */
  @ApiProperty({ enum: MAIL_CHOICES, example: 'summary' })
  @IsIn(MAIL_CHOICES)
  mail: MailChoice;
}

/** New settings. */
export class ChangeNotificationSettingsDto {
  /**
   * Hour of the daily summary, in the user's time zone
   * @example 8
   */
  @Max(23)
  @Min(0)
  @IsInt()
  summaryHour: number;

  /** Kinds to change; the others stay as they are. */
  @IsArray()
  @ArrayMaxSize(CHOSEN_KINDS.length)
  @ArrayUnique(({ kind }: KindSettingDto) => kind)
  @ValidateNested({ each: true })
  @Type(() => KindSettingDto)
  kinds: KindSettingDto[];

  /** true: turns the mail on again after it was turned off because of bounces or a spam report. */
  @ApiProperty({ enum: [true], required: false, example: true })
  @IsOptional()
  @IsIn([true])
  mailAgain?: true;
}

/** Which notifications a user gets, and how. */
export class NotificationSettingsDto {
  /**
   * Hour of the daily summary, in the user's time zone
   * @example 8
   */
  summaryHour: number;

  /**
   * The user's time zone
   * @example 'America/New_York'
   */
  timeZone: string;

  /**
   * true: nothing is mailed, because mails bounced twice or one was reported as spam
   * @example false
   */
  mailIsOff: boolean;

  /** Every kind, in the order of the settings screen. */
  kinds: KindSettingDto[];
}
