import { Body, Controller, Get, HttpCode, Patch, Post, Query, Req, Res, type StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AdminOnly, ApiErrors, collection, CurrentUser, ReasonDto, type RequestUser, UuidParam } from '../../shared/http/index.js';
import { MessageDto } from '../../shared/http/message.dto.js';
import { AdminAccessLog } from './admin-access-log.js';
import { actorOf } from './actor-of.js';
import { AdminUsers } from './admin-users.service.js';
import { AdminUserDetailDto, AdminUserDto } from './dto/admin-user.dto.js';
import { AdminUserQuery } from './dto/admin-user-query.dto.js';
import { ChangeUserDto } from './dto/change-user.dto.js';
import { PendingUserDto } from './dto/pending-user.dto.js';

@ApiTags('admin')
@AdminOnly()
@UseInterceptors(AdminAccessLog)
@Controller('api/admin')
export class AdminUsersController {
  constructor(private readonly users: AdminUsers) {}

  /** All accounts, newest first; `sort` takes createdAt, email or name, with `-` turned round. */
  @Get('users')
  @ApiOkResponse({ type: [AdminUserDto] })
  @ApiErrors(400, 401, 403)
  listUsers(@Query() query: AdminUserQuery, @Res({ passthrough: true }) res: Response): Promise<AdminUserDto[] | StreamableFile> {
    return collection(res, query, (part) => this.users.page(part));
  }

  /** One account with its plan, usage and devices. */
  @Get('users/:userId')
  @ApiOkResponse({ type: AdminUserDetailDto })
  @ApiErrors(401, 403, 404)
  getUser(@UuidParam('userId') userId: string): Promise<AdminUserDetailDto> {
    return this.users.one(userId);
  }

  /** Sets the daily limit, admin rights, or suspends; never one's own rights. */
  @Patch('users/:userId')
  @ApiOkResponse({ type: AdminUserDto })
  @ApiErrors(400, 401, 403, 404, 409)
  changeUser(@CurrentUser() user: RequestUser, @UuidParam('userId') userId: string, @Body() body: ChangeUserDto, @Req() req: Request): Promise<AdminUserDto> {
    return this.users.change(actorOf(user, req, body.reason), userId, body);
  }

  /** Accounts that nobody has verified yet, newest first. */
  @Get('pending-users')
  @ApiOkResponse({ type: [PendingUserDto] })
  @ApiErrors(400, 401, 403)
  listPendingUsers(@Query() query: AdminUserQuery, @Res({ passthrough: true }) res: Response): Promise<PendingUserDto[] | StreamableFile> {
    return collection(res, query, (part) => this.users.pending(part));
  }

  /** Vouches for an account's address. */
  @Post('verify-user/:userId')
  @HttpCode(200)
  @ApiBody({ type: ReasonDto, required: false })
  @ApiOkResponse({ type: MessageDto })
  @ApiErrors(400, 401, 403, 404)
  verifyUser(@CurrentUser() user: RequestUser, @UuidParam('userId') userId: string, @Body() body: ReasonDto, @Req() req: Request): Promise<MessageDto> {
    return this.users.verify(actorOf(user, req, body?.reason), userId);
  }
}
