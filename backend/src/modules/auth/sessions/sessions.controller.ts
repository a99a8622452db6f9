import { Controller, Delete, Get, HttpCode, Req } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../../../shared/http/responses/error-body.dto.js';
import { clientOf, CurrentUser, type RequestUser } from '../../../shared/http/requests/request-user.js';
import { UuidParam } from '../../../shared/http/requests/uuid-param.js';
import { DeviceList } from './device-list.service.js';
import { DeviceSessionDto } from './session.dto.js';

@ApiTags('auth')
@Controller('api/auth/sessions')
export class SessionsController {
  constructor(private readonly devices: DeviceList) {}

  /** The signed-in devices; the caller's own is the first one */
  @Get()
  @ApiOkResponse({ type: [DeviceSessionDto] })
  @ApiErrors(401, 429)
  listSessions(@CurrentUser() user: RequestUser): Promise<DeviceSessionDto[]> {
    return this.devices.of(user);
  }

  /** Signs out all other devices */
  @Delete()
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 429)
  endOtherSessions(@CurrentUser() user: RequestUser, @Req() req: Request): Promise<void> {
    return this.devices.endOthers(user, clientOf(req));
  }

  /** Signs out one device */
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 429)
  endSession(@CurrentUser() user: RequestUser, @UuidParam('id') id: string, @Req() req: Request): Promise<void> {
    return this.devices.end(user, id, clientOf(req));
  }
}
