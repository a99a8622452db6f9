import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req, Res, type StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AdminOnly, ApiErrors, collection, CurrentUser, ReasonDto, type RequestUser, UuidParam } from '../../shared/http/index.js';
import { AddProviderDto, ChangeProviderDto, MailProviders, MailSecretDto, ProviderBacklogDto, ProviderBacklogs, ProviderDto, ProviderTest, ProviderTestDto, TestProviderDto } from '../sending/index.js';
import { actorOf } from './actor-of.js';
import { AdminAccessLog } from './admin-access-log.js';
import { AdminSenders } from './admin-senders.service.js';
import { AdminSenderDto, AdminSenderQuery } from './dto/admin-sender.dto.js';

@ApiTags('admin')
@AdminOnly()
@UseInterceptors(AdminAccessLog)
@Controller('api/admin')
export class AdminProvidersController {
  constructor(private readonly providers: MailProviders, private readonly backlogs: ProviderBacklogs, private readonly tests: ProviderTest, private readonly senders: AdminSenders) {}

  /** The mail accounts with their health, the default first. */
  @Get('providers')
  @ApiOkResponse({ type: [ProviderDto] })
  @ApiErrors(401, 403)
  listProviders(): Promise<ProviderDto[]> {
    return this.providers.list();
  }

  /** Rates by mail account and mailbox provider: what goes out, what holds it back, what waits; where most waits first. */
  @Get('provider-rates')
  @ApiOkResponse({ type: [ProviderBacklogDto] })
  @ApiErrors(401, 403)
  listProviderRates(): Promise<ProviderBacklogDto[]> {
    return this.backlogs.shown();
  }

  /** Names the settings that hold a secret of a mail account; never what they hold. */
  @Get('provider-secrets')
  @ApiOkResponse({ type: [MailSecretDto] })
  @ApiErrors(401, 403)
  listProviderSecrets(): MailSecretDto[] {
    return this.providers.secrets();
  }

  /** Adds a mail account; its secret stands in the configuration already. */
  @Post('providers')
  @ApiCreatedResponse({ type: ProviderDto })
  @ApiErrors(400, 401, 403, 409)
  addProvider(@CurrentUser() user: RequestUser, @Body() body: AddProviderDto, @Req() req: Request): Promise<ProviderDto> {
    return this.providers.add(body, actorOf(user, req, body.reason));
  }

  /** Switches a mail account on or off, makes it the default, or changes how it is reached. */
  @Patch('providers/:id')
  @ApiOkResponse({ type: ProviderDto })
  @ApiErrors(400, 401, 403, 404, 409)
  changeProvider(@CurrentUser() user: RequestUser, @UuidParam('id') id: string, @Body() body: ChangeProviderDto, @Req() req: Request): Promise<ProviderDto> {
    return this.providers.change(id, body, actorOf(user, req, body.reason));
  }

  /** Removes a mail account that is not the default. */
  @Delete('providers/:id')
  @HttpCode(204)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiNoContentResponse()
  @ApiErrors(400, 401, 403, 404, 409)
  removeProvider(@CurrentUser() user: RequestUser, @UuidParam('id') id: string, @Body() body: ReasonDto, @Req() req: Request): Promise<void> {
    return this.providers.remove(id, actorOf(user, req, body?.reason));
  }

  /** Sends one mail by a mail account, active or not, and tells what its server said. */
  @Post('providers/:id/test')
  @HttpCode(200)
  @ApiOkResponse({ type: ProviderTestDto })
  @ApiErrors(400, 401, 403, 404)
  testProvider(@CurrentUser() user: RequestUser, @UuidParam('id') id: string, @Body() body: TestProviderDto, @Req() req: Request): Promise<ProviderTestDto> {
    return this.tests.send(id, body.to, actorOf(user, req));
  }

  /** Complaint and bounce rates of everyone who sent within 30 days, the worst first. */
  @Get('senders')
  @ApiOkResponse({ type: [AdminSenderDto] })
  @ApiErrors(400, 401, 403)
  listMailSenders(@Query() query: AdminSenderQuery, @Res({ passthrough: true }) res: Response): Promise<AdminSenderDto[] | StreamableFile> {
    return collection(res, query, (part) => this.senders.page(part));
  }
}
