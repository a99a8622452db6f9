import { Body, Delete, Get, HttpCode, Patch, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  PageQuery,
  ReasonDto,
  type RequestUser,
  UuidParam,
} from '../../shared/http/index.js';
import {
  AddSuppressionDto,
  ConfirmContactDto,
  AdminContacts,
  AdminContactDto,
  AdminContactQuery,
  AdminListDto,
  SuppressionDto,
  SuppressionList,
  SuppressionQuery,
} from '../lists/index.js';
import { AdminController, actorOf } from './admin-controller.decorator.js';

@AdminController()
export class AdminContactsController {
  constructor(
    private readonly contacts: AdminContacts,
    private readonly suppressions: SuppressionList,
  ) {}

  /** All contacts of all lists, newest first; `search` matches the address, `sort` accepts createdAt. */
  @Get('subscriptions')
  @ApiOkResponse({ type: [AdminContactDto] })
  @ApiErrors(400, 401, 403, 429)
  listSubscriptions(
    @Query() query: AdminContactQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<AdminContactDto[] | StreamableFile> {
    return collection(res, query, (part) => this.contacts.page(part));
  }

  /** Confirms a contact, or sets it back to Pending. */
  @Patch('subscriptions/:id/confirm')
  @ApiOkResponse({ type: AdminContactDto })
  @ApiErrors(400, 401, 403, 404)
  confirmContact(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Body() body: ConfirmContactDto,
    @Req() req: Request,
  ): Promise<AdminContactDto> {
    return this.contacts.confirm(actorOf(user, req, body.reason), id, body.confirmed);
  }

  /** The largest lists whose name contains `search`, the default list first. */
  @Get('lists')
  @ApiOkResponse({ type: [AdminListDto] })
  @ApiErrors(400, 401, 403)
  findLists(@Query() query: PageQuery): Promise<AdminListDto[]> {
    return this.contacts.lists(query.search ?? '');
  }

  /** Addresses that must not be mailed, newest first. */
  @Get('suppressions')
  @ApiOkResponse({ type: [SuppressionDto] })
  @ApiErrors(400, 401, 403, 429)
  listSuppressions(
    @Query() query: SuppressionQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<SuppressionDto[] | StreamableFile> {
    return collection(res, query, (part) => this.suppressions.page(part));
  }

  /** Suppresses an address for all mail, or for the shared network. */
  @Post('suppressions')
  @ApiCreatedResponse({ type: SuppressionDto })
  @ApiErrors(400, 401, 403, 409)
  addSuppression(
    @CurrentUser() user: RequestUser,
    @Body() body: AddSuppressionDto,
    @Req() req: Request,
  ): Promise<SuppressionDto> {
    return this.suppressions.add(actorOf(user, req, body.reason), body);
  }

  /** Lifts a suppression; a contact who had unsubscribed becomes Pending. */
  @Delete('suppressions/:id')
  @HttpCode(204)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiNoContentResponse()
  @ApiErrors(400, 401, 403, 404)
  liftSuppression(
    @CurrentUser() user: RequestUser,
    @UuidParam('id') id: string,
    @Body() body: ReasonDto,
    @Req() req: Request,
  ): Promise<void> {
    return this.suppressions.lift(actorOf(user, req, body?.reason), id);
  }
}
