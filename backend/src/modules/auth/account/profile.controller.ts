import { Body, Controller, Patch, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiErrors } from '../../../shared/http/responses/error-body.dto.js';
import { clientOf, CurrentUser, type RequestUser } from '../../../shared/http/requests/request-user.js';
import { Accounts } from './accounts.service.js';
import { CurrentUserDto } from './current-user.dto.js';
import { ChangeNameDto, ChangeRoleDto, ChangeSettingsDto } from './profile.dto.js';
import { Profile } from './profile.service.js';

@ApiTags('auth')
@Controller('api/auth/user')
export class ProfileController {
  constructor(
    private readonly profile: Profile,
    private readonly accounts: Accounts,
  ) {}

  /** Changes the user's role, which decides what type of email the user may send */
  @Patch('role')
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(400, 401, 429)
  async changeRole(
    @CurrentUser() user: RequestUser,
    @Body() body: ChangeRoleDto,
    @Req() req: Request,
  ): Promise<CurrentUserDto> {
    await this.profile.changeRole(user.id, body.role, clientOf(req));
    return this.accounts.describe(user.id);
  }

  /** Changes the user's name */
  @Patch('name')
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(400, 401, 429)
  async changeName(@CurrentUser() user: RequestUser, @Body() body: ChangeNameDto): Promise<CurrentUserDto> {
    await this.profile.changeName(user.id, body);
    return this.accounts.describe(user.id);
  }

  /** Changes agency and time zone; absent fields keep their values */
  @Patch('settings')
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(400, 401, 429)
  async changeSettings(@CurrentUser() user: RequestUser, @Body() body: ChangeSettingsDto): Promise<CurrentUserDto> {
    await this.profile.changeSettings(user.id, body);
    return this.accounts.describe(user.id);
  }
}
