import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, RateLimit, type RequestUser, UuidParam } from '../../../shared/http/index.js';
import { ContactFieldDto, ContactUsageDto, CreateContactFieldDto, UpdateContactFieldDto } from './contact-field.dto.js';
import { Fields } from './fields.service.js';

const UNKNOWN = 'Field not found';

/** The account's custom fields of contacts. */
@ApiTags('contacts')
@Controller('api/contact-fields')
export class ContactFieldsController {
  constructor(private readonly fields: Fields) {}

  /** The custom fields of the account's contacts, in their order. */
  @Get()
  @ApiOkResponse({ type: [ContactFieldDto] })
  @ApiErrors(401)
  listContactFields(@CurrentUser() user: RequestUser): Promise<ContactFieldDto[]> {
    return this.fields.list(user.id);
  }

  /** Adds a field; an account can have 100. */
  @Post()
  @RateLimit('contacts')
  @ApiCreatedResponse({ type: ContactFieldDto })
  @ApiErrors(400, 401, 409, 429)
  addContactField(@CurrentUser() user: RequestUser, @Body() body: CreateContactFieldDto): Promise<ContactFieldDto> {
    return this.fields.create(user.id, body);
  }

  /**
   * Changes the label, options or position; the type can only be changed to text. If many contacts have a value, a bulk
   * change `fieldToText` rewrites the values; meanwhile they are shown as text already.
   */
  @Patch(':id')
  @RateLimit('contacts')
  @ApiOkResponse({ type: ContactFieldDto })
  @ApiErrors(400, 401, 404, 409, 429)
  updateContactField(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() body: UpdateContactFieldDto,
  ): Promise<ContactFieldDto> {
    return this.fields.update(user.id, id, body);
  }

  /** Number of contacts that have a value of the field. */
  @Get(':id/usage')
  @ApiOkResponse({ type: ContactUsageDto })
  @ApiErrors(401, 404)
  async getContactFieldUsage(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
  ): Promise<ContactUsageDto> {
    return { contacts: await this.fields.usage(user.id, id) };
  }

  /** Deletes a field with all its values. */
  @Delete(':id')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 409, 429)
  deleteContactField(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    return this.fields.remove(user.id, id);
  }
}
