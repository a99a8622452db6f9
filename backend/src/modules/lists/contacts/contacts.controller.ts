import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  limitSearches,
  RateLimit,
  streamCsv,
  UuidParam,
  type RequestUser,
} from '../../../shared/http/index.js';
import { ContactEditor } from './contact-editor.service.js';
import { ContactRemoval } from './contact-removal.service.js';
import { ContactReader } from './contact-reader.service.js';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';
import { AddContactDto, ContactDto, ContactQuery, UpdateContactDto } from './contact.dto.js';
import { ContactSearch } from './contact-search.service.js';
import { ContactSearchQuery, FoundContactDto } from './contact-search.dto.js';

@ApiTags('contacts')
@Controller('api/email-lists/:id/subscribers')
export class ContactsController {
  constructor(
    private readonly reader: ContactReader,
    private readonly editor: ContactEditor,
    private readonly removal: ContactRemoval,
  ) {}

  /**
   * The pending and confirmed contacts of a list, newest first. `search` matches any part of the address; in a list of
   * more than 20,000 contacts, one or two letters match only its beginning. `sort` takes email, createdAt or name, with
   * a leading `-` for descending. A search counts at most 10,000 matches; X-Total-Capped: true means that there are
   * more.
   */
  @Get()
  @ApiOkResponse({ type: [ContactDto] })
  @ApiErrors(400, 401, 404, 429)
  async listContacts(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @Query() query: ContactQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<ContactDto[] | StreamableFile> {
    return collection(
      res,
      query,
      limitSearches(user, (part) => this.reader.page(user, id, part)),
      (whole) => this.reader.all(user, id, whole),
    );
  }

  /** The contacts as a CSV file. */
  @Get('export')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(401, 404, 429)
  async exportContacts(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @Res({ passthrough: true }) res: Response,
  ): Promise<StreamableFile> {
    const { filename, header, lines } = await this.reader.exportOf(user, id);
    return streamCsv(res, filename, header, lines);
  }

  /** Adds one contact; it starts Pending and gets a confirmation mail. */
  @Post()
  @RateLimit('contacts')
  @ApiCreatedResponse({ type: ContactDto })
  @ApiErrors(400, 401, 403, 404, 409, 429)
  addContact(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @Body() body: AddContactDto,
  ): Promise<ContactDto> {
    return this.editor.add(user, id, body);
  }

  /** Changes a contact; a changed address starts Pending again. */
  @Patch(':contactId')
  @RateLimit('contacts')
  @ApiOkResponse({ type: ContactDto })
  @ApiErrors(400, 401, 404, 409, 429)
  updateContact(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @UuidParam('contactId', 'Contact not found') contactId: string,
    @Body() body: UpdateContactDto,
  ): Promise<ContactDto> {
    return this.editor.update(user, id, contactId, body);
  }

  /** Removes a contact; for 10 seconds it can be restored. */
  @Delete(':contactId')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 429)
  deleteContact(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @UuidParam('contactId', 'Contact not found') contactId: string,
  ): Promise<void> {
    return this.removal.remove(user, id, contactId);
  }

  /** Undoes the removal of a contact, up to 10 seconds later. */
  @Post(':contactId/restore')
  @RateLimit('contacts')
  @HttpCode(200)
  @ApiOkResponse({ type: ContactDto })
  @ApiErrors(401, 403, 404, 409, 410, 429)
  restoreContact(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @UuidParam('contactId', 'Contact not found') contactId: string,
  ): Promise<ContactDto> {
    return this.removal.restore(user, id, contactId);
  }

  /** Sends a pending contact's confirmation mail again, which is possible once. */
  @Post(':contactId/resend-confirmation')
  @RateLimit('contacts')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: MessageDto })
  @ApiErrors(401, 403, 404, 409, 429)
  resendConfirmation(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @UuidParam('contactId', 'Contact not found') contactId: string,
  ): Promise<MessageDto> {
    return this.editor.resend(user, id, contactId);
  }
}

@ApiTags('contacts')
@Controller('api/email-lists/contacts')
export class ContactSearchController {
  constructor(private readonly search: ContactSearch) {}

  /**
   * At most six contacts of the caller's lists whose address contains the text. With more than 20,000 contacts, one or
   * two letters match only the beginning of an address.
   */
  @Get()
  @ApiOkResponse({ type: [FoundContactDto] })
  @ApiErrors(400, 401, 429)
  findContacts(@CurrentUser() user: RequestUser, @Query() query: ContactSearchQuery): Promise<FoundContactDto[]> {
    return limitSearches(user, ({ search }: ContactSearchQuery) => this.search.find(user.id, search))(query);
  }
}
