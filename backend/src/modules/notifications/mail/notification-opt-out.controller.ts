import { Body, Controller, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { AppError } from '../../../shared/errors/app-error.js';
import {
  ApiErrors,
  clientOf,
  CrossSite,
  IgnoredBody,
  Public,
  RateLimit,
  RateLimits,
} from '../../../shared/http/index.js';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { CHOSEN_KINDS, type ChosenKind } from '../notification-kinds.js';
import { NotificationSettings } from '../settings/notification-settings.service.js';
import { NotificationOptOutDto } from './notification-opt-out.dto.js';
import { NotificationLinks } from './notification-links.service.js';

const unknownLink = (): AppError => new AppError('token_invalid', 404, 'This link is not valid');

/**
 * The link "Change what we mail you" in notification mails. Because scanners open every link, fetching it only shows a
 * page.
 */
@ApiTags('notifications')
@RateLimit('none')
@Controller()
@Public()
export class NotificationOptOutController {
  constructor(
    private readonly links: NotificationLinks,
    private readonly settings: NotificationSettings,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Turns off the mail about some kinds of notification; called by the page's button. Notifications in the app stay.
   */
  @Post('api/notification-opt-out/:token')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 404, 429)
  endNotificationMail(
    @Param('token') token: string,
    @Body() { kinds }: NotificationOptOutDto,
    @Req() request: Request,
  ): Promise<MessageDto> {
    return this.act(token, kinds, request);
  }

  /**
   * The List-Unsubscribe URL of a notification mail, used by a mail program (RFC 8058): turns off all mail about
   * notifications.
   */
  @Post('mail-settings/:token')
  @CrossSite()
  @IgnoredBody()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(404, 429)
  endNotificationMailOneClick(@Param('token') token: string, @Req() request: Request): Promise<MessageDto> {
    return this.act(token, CHOSEN_KINDS, request);
  }

  /** Turns off the mail. Only invalid tokens count against the rate limit of the client's network. */
  private async act(token: string, kinds: readonly ChosenKind[], request: Request): Promise<MessageDto> {
    const userId = this.links.read(token);
    if (!userId) {
      await this.limits.consumeByClient('wrong-token', clientOf(request).ip);
      throw unknownLink();
    }
    await this.settings.endMail(userId, [...new Set(kinds)]);
    return { message: 'These mails have stopped. You find everything under the bell in Staffcast.' };
  }
}
