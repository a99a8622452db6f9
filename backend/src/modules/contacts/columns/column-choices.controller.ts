import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, RateLimit, type RequestUser } from '../../../shared/http/index.js';
import { ContactColumnsDto } from './column-choices.dto.js';
import { ColumnChoices } from './column-choices.service.js';

/** The columns of contacts that a user sees. */
@ApiTags('contacts')
@Controller('api/contact-columns')
export class ColumnChoicesController {
  constructor(private readonly choices: ColumnChoices) {}

  /** The columns that the user chose, or the default ones. */
  @Get()
  @ApiOkResponse({ type: ContactColumnsDto })
  @ApiErrors(401)
  async getContactColumns(@CurrentUser() user: RequestUser): Promise<ContactColumnsDto> {
    return { columns: await this.choices.of(user.id) };
  }

  /** Stores the columns for all of the user's devices. */
  @Put()
  @RateLimit('contacts')
  @ApiOkResponse({ type: ContactColumnsDto })
  @ApiErrors(400, 401, 429)
  async setContactColumns(
    @CurrentUser() user: RequestUser,
    @Body() { columns }: ContactColumnsDto,
  ): Promise<ContactColumnsDto> {
    await this.choices.set(user.id, columns);
    return { columns };
  }
}
