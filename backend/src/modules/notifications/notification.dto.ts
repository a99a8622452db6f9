import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsUUID, ValidateIf } from 'class-validator';
import { PartQuery } from '../../shared/http/requests/page-query.dto.js';
import { NOTIFICATION_KINDS, type NotificationKind } from './notification-kinds.js';

/** Maximum number of ids in one call. */
const MAX_IDS = 1_000;

/** Selects a page of notifications. */
export class NotificationQuery extends PartQuery {
  /** true: only unread notifications */
  @ApiProperty({ enum: ['true'], required: false, example: 'true' })
  @IsOptional()
  @IsIn(['true'])
  unread?: 'true';
}

/** A notification in the list under the bell. */
export class NotificationDto {
  /**
   * The notification's id
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /** Kind of the notification */
  @ApiProperty({ enum: NOTIFICATION_KINDS, example: 'send.finished' })
  kind: NotificationKind;

  /**
   * What happened
   * @example 'Send finished: 702 of 720 delivered'
   */
  text: string;

  /**
   * What the event concerns: the subject of the send or the name of the list; null if `text` says everything
   * @example 'Senior Java developer, Boston'
   */
  detail: string | null;

  /**
   * Path of the screen that the notification links to
   * @example '/history/4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  url: string;

  /**
   * Number of events that the notification reports; can grow until it is read
   * @example 1
   */
  count: number;

  /**
   * When the notification was written
   * @example '2026-11-23T09:30:00.000Z'
   */
  createdAt: string;

  /**
   * When the last event was added to the notification
   * @example '2026-11-23T09:30:00.000Z'
   */
  updatedAt: string;

  /**
   * When the notification was read; null if it is unread
   * @example '2026-11-23T09:41:00.000Z'
   */
  readAt: string | null;
}

/** Notifications to mark as read: the given ones, or all. */
export class ReadNotificationsDto {
  /**
   * Ids of the notifications; unknown ones are ignored
   * @example ['4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10']
   */
  @ValidateIf(({ all, ids }: ReadNotificationsDto) => all === undefined || ids !== undefined)
  @IsArray({ message: 'Either ids or all is needed' })
  @ArrayMaxSize(MAX_IDS)
  @IsUUID(undefined, { each: true })
  ids?: string[];

  /** true: marks all of the user's notifications as read */
  @ApiProperty({ enum: [true], required: false, example: true })
  @IsOptional()
  @IsIn([true])
  all?: true;
}

/** How many notifications are still unread. */
export class UnreadDto {
  /**
   * Number of unread notifications
   * @example 0
   */
  unread: number;
}
