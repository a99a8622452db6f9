import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req, Res, type StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AdminOnly, ApiErrors, collection, CurrentUser, PageQuery, ReasonDto, type RequestUser, UuidParam } from '../../shared/http/index.js';
import {
  AddSuppressionDto, ConfirmContactDto, ContactOversight, OverseenContactDto, OverseenContactQuery, OverseenListDto, SuppressionDto, SuppressionList, SuppressionQuery,
} from '../lists/index.js';
import { AdminAccessLog } from './admin-access-log.js';
import { actorOf } from './actor-of.js';

@ApiTags('admin')
@AdminOnly()
@UseInterceptors(AdminAccessLog)
@Controller('api/admin')
export class AdminContactsController {
  constructor(private readonly contacts: ContactOversight, private readonly suppressions: SuppressionList) {}

  /** Every contact of every list, newest first; `search` looks into the address, `sort` takes createdAt. */
  @Get('subscriptions')
  @ApiOkResponse({ type: [OverseenContactDto] })
  @ApiErrors(400, 401, 403)
  listSubscriptions(@Query() query: OverseenContactQuery, @Res({ passthrough: true }) res: Response): Promise<OverseenContactDto[] | StreamableFile> {
    return collection(res, query, (part) => this.contacts.page(part));
  }

  /** Confirms a contact, or sets it back to Pending. */
  @Patch('subscriptions/:id/confirm')
  @ApiOkResponse({ type: OverseenContactDto })
  @ApiErrors(400, 401, 403, 404)
  confirmContact(@CurrentUser() user: RequestUser, @UuidParam('id') id: string, @Body() body: ConfirmContactDto, @Req() req: Request): Promise<OverseenContactDto> {
    return this.contacts.confirm(actorOf(user, req, body.reason), id, body.confirmed);
  }

  /** The largest lists whose name holds `search`, the default one first. */
  @Get('lists')
  @ApiOkResponse({ type: [OverseenListDto] })
  @ApiErrors(400, 401, 403)
  findLists(@Query() query: PageQuery): Promise<OverseenListDto[]> {
    return this.contacts.lists(query.search ?? '');
  }

  /** Addresses that must not be mailed, newest first. */
  @Get('suppressions')
  @ApiOkResponse({ type: [SuppressionDto] })
  @ApiErrors(400, 401, 403)
  listSuppressions(@Query() query: SuppressionQuery, @Res({ passthrough: true }) res: Response): Promise<SuppressionDto[] | StreamableFile> {
    return collection(res, query, (part) => this.suppressions.page(part));
  }

  /** Keeps an address from being mailed, by any sender or over the network. */
  @Post('suppressions')
  @ApiCreatedResponse({ type: SuppressionDto })
  @ApiErrors(400, 401, 403, 409)
  addSuppression(@CurrentUser() user: RequestUser, @Body() body: AddSuppressionDto, @Req() req: Request): Promise<SuppressionDto> {
    return this.suppressions.add(actorOf(user, req, body.reason), body);
  }

  /** Lifts a suppression; a person who had left stands Pending after it. */
  @Delete('suppressions/:id')
  @HttpCode(204)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiNoContentResponse()
  @ApiErrors(400, 401, 403, 404)
  liftSuppression(@CurrentUser() user: RequestUser, @UuidParam('id') id: string, @Body() body: ReasonDto, @Req() req: Request): Promise<void> {
    return this.suppressions.lift(actorOf(user, req, body?.reason), id);
  }
}
