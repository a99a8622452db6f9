import { Body, Controller, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../../shared/http/api-errors.js';
import { CurrentUser, type RequestUser } from '../../shared/http/request-user.js';
import { Accounts } from './accounts.service.js';
import { CurrentUserDto } from './dto/current-user.dto.js';
import { ChangeNameDto, ChangeRoleDto } from './dto/profile.dto.js';
import { Profile } from './profile.service.js';

@ApiTags('auth')
@Controller('api/auth/user')
export class ProfileController {
  constructor(private readonly profile: Profile, private readonly accounts: Accounts) {}

  /** Changes what the person does, and with it what they may send */
  @Patch('role')
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(400, 401, 429)
  async changeRole(@CurrentUser() user: RequestUser, @Body() body: ChangeRoleDto): Promise<CurrentUserDto> {
    await this.profile.changeRole(user.id, body.role);
    return this.accounts.describe(user.id);
  }

  /** Changes the person's name */
  @Patch('name')
  @ApiOkResponse({ type: CurrentUserDto })
  @ApiErrors(400, 401, 429)
  async changeName(@CurrentUser() user: RequestUser, @Body() body: ChangeNameDto): Promise<CurrentUserDto> {
    await this.profile.changeName(user.id, body);
    return this.accounts.describe(user.id);
  }
}
