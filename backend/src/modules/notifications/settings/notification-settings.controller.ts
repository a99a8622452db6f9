import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, type RequestUser } from '../../../shared/http/index.js';
import { ChangeNotificationSettingsDto, NotificationSettingsDto } from './notification-settings.dto.js';
import { NotificationSettings } from './notification-settings.service.js';

@ApiTags('notifications')
@Controller('api/notification-settings')
export class NotificationSettingsController {
  constructor(private readonly settings: NotificationSettings) {}

  /** Which notifications the user gets, in the app and by mail. */
  @Get()
  @ApiOkResponse({ type: NotificationSettingsDto })
  @ApiErrors(401)
  getNotificationSettings(@CurrentUser() user: RequestUser): Promise<NotificationSettingsDto> {
    return this.settings.of(user);
  }

  /** Changes which notifications the user gets; kinds that are not named stay as they are. */
  @Put()
  @ApiOkResponse({ type: NotificationSettingsDto })
  @ApiErrors(400, 401, 429)
  async changeNotificationSettings(
    @CurrentUser() user: RequestUser,
    @Body() body: ChangeNotificationSettingsDto,
  ): Promise<NotificationSettingsDto> {
    await this.settings.change(user.id, body);
    return this.settings.of(user);
  }
}
