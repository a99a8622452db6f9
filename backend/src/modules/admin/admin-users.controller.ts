import { Body, Get, HttpCode, Patch, Post, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors, collection, CurrentUser, ReasonDto, type RequestUser, UuidParam } from '../../shared/http/index.js';
import { MessageDto } from '../../shared/http/responses/message.dto.js';
import { AdminController, actorOf } from './admin-controller.decorator.js';
import { AdminUsers } from './admin-users.service.js';
import {
  AdminUserDetailDto,
  AdminUserDto,
  AdminUserQuery,
  ChangeUserDto,
  PendingUserDto,
} from './dto/admin-user.dto.js';

@AdminController()
export class AdminUsersController {
  constructor(private readonly users: AdminUsers) {}

  /** All accounts, newest first; `sort` takes createdAt, email or name, with a leading `-` for descending. */
  @Get('users')
  @ApiOkResponse({ type: [AdminUserDto] })
  @ApiErrors(400, 401, 403, 429)
  listUsers(
    @Query() query: AdminUserQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<AdminUserDto[] | StreamableFile> {
    return collection(res, query, (part) => this.users.page(part));
  }

  /** One account with its plan, usage and devices. */
  @Get('users/:userId')
  @ApiOkResponse({ type: AdminUserDetailDto })
  @ApiErrors(401, 403, 404)
  getUser(@UuidParam('userId') userId: string): Promise<AdminUserDetailDto> {
    return this.users.one(userId);
  }

  /** Sets the daily limit or admin rights, or suspends the account; admins cannot change their own rights. */
  @Patch('users/:userId')
  @ApiOkResponse({ type: AdminUserDto })
  @ApiErrors(400, 401, 403, 404, 409)
  changeUser(
    @CurrentUser() user: RequestUser,
    @UuidParam('userId') userId: string,
    @Body() body: ChangeUserDto,
    @Req() req: Request,
  ): Promise<AdminUserDto> {
    return this.users.change(actorOf(user, req, body.reason), userId, body);
  }

  /** Unverified accounts, newest first. */
  @Get('pending-users')
  @ApiOkResponse({ type: [PendingUserDto] })
  @ApiErrors(400, 401, 403, 429)
  listPendingUsers(
    @Query() query: AdminUserQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<PendingUserDto[] | StreamableFile> {
    return collection(res, query, (part) => this.users.pending(part));
  }

  /** Marks an account's address as verified. */
  @Post('verify-user/:userId')
  @HttpCode(200)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 401, 403, 404)
  verifyUser(
    @CurrentUser() user: RequestUser,
    @UuidParam('userId') userId: string,
    @Body() body: ReasonDto,
    @Req() req: Request,
  ): Promise<MessageDto> {
    return this.users.verify(actorOf(user, req, body?.reason), userId);
  }
}
