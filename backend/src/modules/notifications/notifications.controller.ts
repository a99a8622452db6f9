import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, collection, CurrentUser, type RequestUser } from '../../shared/http/index.js';
import { NotificationDto, NotificationQuery, ReadNotificationsDto, UnreadDto } from './notification.dto.js';
import { NotificationList } from './notification-list.service.js';

@ApiTags('notifications')
@Controller('api/notifications')
export class NotificationsController {
  constructor(private readonly list: NotificationList) {}

  /**
   * The user's notifications of the last 90 days, newest first. The event stream announces new ones (`notification`).
   */
  @Get()
  @ApiOkResponse({ type: [NotificationDto] })
  @ApiErrors(400, 401, 429)
  listNotifications(
    @CurrentUser() user: RequestUser,
    @Query() query: NotificationQuery,
    @Res({ passthrough: true }) res: Response,
  ) {
    return collection(res, query, (part) => this.list.page(user.id, part, part.limit));
  }

  /** Marks notifications as read; ids that are not the user's are ignored. */
  @Post('read')
  @HttpCode(200)
  @ApiOkResponse({ type: UnreadDto })
  @ApiErrors(400, 401, 429)
  async readNotifications(@CurrentUser() user: RequestUser, @Body() body: ReadNotificationsDto): Promise<UnreadDto> {
    return { unread: await this.list.read(user.id, body) };
  }
}
