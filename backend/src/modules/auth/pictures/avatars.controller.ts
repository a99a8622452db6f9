import { Controller, Delete, Get, Put, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiErrors } from '../../../shared/http/responses/error-body.dto.js';
import { StreamedBody } from '../../../shared/http/requests/body.decorators.js';
import { clientOf, CurrentUser, type RequestUser } from '../../../shared/http/requests/request-user.js';
import { RateLimit } from '../../../shared/http/rate-limits/rate-limit.guard.js';
import { UuidParam } from '../../../shared/http/requests/uuid-param.js';
import { Accounts } from '../account/accounts.service.js';
import { Avatars } from './avatars.service.js';
import { CurrentUserDto } from '../account/current-user.dto.js';
import { PICTURE_TYPES } from '../entities/user-avatar.entity.js';

@ApiTags('auth')
@Controller('api')
export class AvatarsController {
  constructor(
    private readonly avatars: Avatars,
    private readonly accounts: Accounts,
  ) {}

  /** Sets the profile picture: the bytes of a PNG, JPEG or WebP of at most 512 KB */
  @RateLimit('picture')
  @StreamedBody('a PNG, JPEG or WebP picture')
  @Put('auth/user/avatar')
  @ApiConsumes(...PICTURE_TYPES)
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(400, 401, 413, 415, 429)
  async setAvatar(@CurrentUser() user: RequestUser, @Req() req: Request): Promise<CurrentUserDto> {
    await this.avatars.replace(user.id, req, clientOf(req));
    return this.accounts.describe(user.id);
  }

  /** Removes the profile picture */
  @Delete('auth/user/avatar')
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(401, 429)
  async removeAvatar(@CurrentUser() user: RequestUser, @Req() req: Request): Promise<CurrentUserDto> {
    await this.avatars.remove(user.id, clientOf(req));
    return this.accounts.describe(user.id);
  }

  /** A profile picture. Its content never changes: a new picture has a new URL */
  @Get('avatars/:id')
  @ApiProduces(...PICTURE_TYPES)
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(401, 404, 429)
  async getAvatar(@UuidParam('id') id: string, @Res({ passthrough: true }) res: Response): Promise<StreamableFile> {
    const { content, contentType } = await this.avatars.byId(id);
    res.setHeader('Cache-Control', 'private, max-age=31536000, immutable');
    res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    return new StreamableFile(content, { type: contentType, length: content.length });
  }
}
