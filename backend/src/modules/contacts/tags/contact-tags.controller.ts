import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, RateLimit, type RequestUser } from '../../../shared/http/index.js';
import { ContactUsageDto } from '../fields/contact-field.dto.js';
import { ContactTagDto, CreateContactTagDto, UpdateContactTagDto } from './contact-tag.dto.js';
import { TagIdPipe } from './tag-id.pipe.js';
import { Tags } from './tags.service.js';

/** The account's tags. */
@ApiTags('contacts')
@Controller('api/contact-tags')
export class ContactTagsController {
  constructor(private readonly tags: Tags) {}

  /** The account's tags, sorted by name. */
  @Get()
  @ApiOkResponse({ type: [ContactTagDto] })
  @ApiErrors(401)
  listContactTags(@CurrentUser() user: RequestUser): Promise<ContactTagDto[]> {
    return this.tags.list(user.id);
  }

  /** Adds a tag; an account can have 1,000. */
  @Post()
  @RateLimit('contacts')
  @ApiCreatedResponse({ type: ContactTagDto })
  @ApiErrors(400, 401, 409, 429)
  addContactTag(@CurrentUser() user: RequestUser, @Body() body: CreateContactTagDto): Promise<ContactTagDto> {
    return this.tags.create(user.id, body);
  }

  /** Changes the name or colour of a tag. */
  @Patch(':id')
  @RateLimit('contacts')
  @ApiOkResponse({ type: ContactTagDto })
  @ApiErrors(400, 401, 404, 409, 429)
  updateContactTag(
    @CurrentUser() user: RequestUser,
    @Param('id', TagIdPipe) id: number,
    @Body() body: UpdateContactTagDto,
  ): Promise<ContactTagDto> {
    return this.tags.update(user.id, id, body);
  }

  /** Number of contacts that have the tag. */
  @Get(':id/usage')
  @ApiOkResponse({ type: ContactUsageDto })
  @ApiErrors(401, 404)
  async getContactTagUsage(
    @CurrentUser() user: RequestUser,
    @Param('id', TagIdPipe) id: number,
  ): Promise<ContactUsageDto> {
    return { contacts: await this.tags.usage(user.id, id) };
  }

  /** Deletes a tag and removes it from all contacts. */
  @Delete(':id')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 409, 429)
  deleteContactTag(@CurrentUser() user: RequestUser, @Param('id', TagIdPipe) id: number): Promise<void> {
    return this.tags.remove(user.id, id);
  }
}
