import { Body, Delete, Get, HttpCode, Patch, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors, collection, CurrentUser, ReasonDto, type RequestUser, UuidParam } from '../../shared/http/index.js';
import { ProviderBacklogDto, ProviderBacklogs } from '../delivery/index.js';
import {
  AddProviderDto,
  ChangeProviderDto,
  MailProviders,
  MailSecretDto,
  ProviderDto,
  ProviderTest,
  ProviderTestDto,
  TestProviderDto,
} from '../mail-accounts/index.js';
import { AdminController, actorOf } from './admin-controller.decorator.js';
import { AdminSenders } from './admin-senders.service.js';
import { AdminSenderDto, AdminSenderQuery } from './dto/admin-sender.dto.js';

@AdminController()
export class AdminProvidersController {
  constructor(
    private readonly providers: MailProviders,
    private readonly backlogs: ProviderBacklogs,
    private readonly tests: ProviderTest,
    private readonly senders: AdminSenders,
  ) {}

  /** The mail accounts with their health, the default first. */
  @Get('providers')
  @ApiOkResponse({ type: [ProviderDto] })
  @ApiErrors(401, 403)
  listProviders(): Promise<ProviderDto[]> {
    return this.providers.list();
  }

  /** Sending rates by mail account and mailbox provider, with limits and backlog; the largest backlog first. */
  @Get('provider-rates')
  @ApiOkResponse({ type: [ProviderBacklogDto] })
  @ApiErrors(401, 403)
  listProviderRates(): Promise<ProviderBacklogDto[]> {
    return this.backlogs.shown();
  }

  /** Names of the settings that hold secrets of mail accounts, never their values. */
  @Get('provider-secrets')
  @ApiOkResponse({ type: [MailSecretDto] })
  @ApiErrors(401, 403)
  listProviderSecrets(): MailSecretDto[] {
    return this.providers.secrets();
  }

  /** Adds a mail account, whose secret must already be configured. */
  @Post('providers')
  @ApiCreatedResponse({ type: ProviderDto })
  @ApiErrors(400, 401, 403, 409)
  addProvider(
    @CurrentUser() user: RequestUser,
    @Body() body: AddProviderDto,
    @Req() req: Request,
  ): Promise<ProviderDto> {
    return this.providers.add(body, actorOf(user, req, body.reason));
  }

  /** Activates or deactivates a mail account, makes it the default, or changes its connection. */
  @Patch('providers/:id')
  @ApiOkResponse({ type: ProviderDto })
  @ApiErrors(400, 401, 403, 404, 409)
  changeProvider(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Body() body: ChangeProviderDto,
    @Req() req: Request,
  ): Promise<ProviderDto> {
    return this.providers.change(id, body, actorOf(user, req, body.reason));
  }

  /** Removes a mail account that is not the default. */
  @Delete('providers/:id')
  @HttpCode(204)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiNoContentResponse()
  @ApiErrors(400, 401, 403, 404, 409)
  removeProvider(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Body() body: ReasonDto,
    @Req() req: Request,
  ): Promise<void> {
    return this.providers.remove(id, actorOf(user, req, body?.reason));
  }

  /** Sends a test mail through a mail account, active or not, and returns the server's reply. */
  @Post('providers/:id/test')
  @HttpCode(200)
  @ApiOkResponse({ type: ProviderTestDto })
  @ApiErrors(400, 401, 403, 404)
  testProvider(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Body() body: TestProviderDto,
    @Req() req: Request,
  ): Promise<ProviderTestDto> {
    return this.tests.send(id, body.to, actorOf(user, req));
  }

  /** Complaint and bounce rates of all accounts that sent within 30 days, the worst first. */
  @Get('senders')
  @ApiOkResponse({ type: [AdminSenderDto] })
  @ApiErrors(400, 401, 403, 429)
  listMailSenders(
    @Query() query: AdminSenderQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<AdminSenderDto[] | StreamableFile> {
    return collection(res, query, (part) => this.senders.page(part));
  }
}
