import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, collection, CurrentUser, inSearchTurns, RateLimit, streamCsv, UuidParam, type RequestUser } from '../../shared/http/index.js';
import { ContactEditor } from './contact-editor.service.js';
import { ContactReader } from './contact-reader.service.js';
import { MessageDto } from './dto/message.dto.js';
import { AddContactDto, ContactDto, ContactQuery, UpdateContactDto } from './dto/contact.dto.js';

@ApiTags('contacts')
@Controller('api/email-lists/:id/subscribers')
export class ContactsController {
  constructor(private readonly reader: ContactReader, private readonly editor: ContactEditor) {}

  /**
   * The contacts of a list: Pending and Confirmed ones, newest first; `search` looks into the address (one or two letters at its beginning only, in
   * a list of more than 20,000), `sort` takes email, createdAt or name, with `-` turned round. A search counts 10,000 finds at most; X-Total-Capped: true says that there are more.
   */
  @Get()
  @ApiOkResponse({ type: [ContactDto] })
  @ApiErrors(400, 401, 404)
  async listContacts(@CurrentUser() user: RequestUser, @UuidParam('id', 'List not found') id: string, @Query() query: ContactQuery, @Res({ passthrough: true }) res: Response): Promise<ContactDto[] | StreamableFile> {
    return collection(res, query, inSearchTurns(user, (part) => this.reader.page(user, id, part)), (whole) => this.reader.all(user, id, whole));
  }

  /** The contacts as a CSV file. */
  @Get('export')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(401, 404)
  async exportContacts(@CurrentUser() user: RequestUser, @UuidParam('id', 'List not found') id: string, @Res({ passthrough: true }) res: Response): Promise<StreamableFile> {
    const { filename, header, lines } = await this.reader.exportOf(user, id);
    return streamCsv(res, filename, header, lines);
  }

  /** Adds one contact; it starts Pending and gets a confirmation mail. */
  @Post()
  @RateLimit('contacts')
  @ApiCreatedResponse({ type: ContactDto })
  @ApiErrors(400, 401, 403, 404, 409, 429)
  addContact(@CurrentUser() user: RequestUser, @UuidParam('id', 'List not found') id: string, @Body() body: AddContactDto): Promise<ContactDto> {
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

  /** Removes a contact. */
  @Delete(':contactId')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 429)
  deleteContact(@CurrentUser() user: RequestUser, @UuidParam('id', 'List not found') id: string, @UuidParam('contactId', 'Contact not found') contactId: string): Promise<void> {
    return this.editor.remove(user, id, contactId);
  }

  /** Sends a pending contact's confirmation mail again; once only. */
  @Post(':contactId/resend-confirmation')
  @RateLimit('contacts')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: MessageDto })
  @ApiErrors(401, 403, 404, 409, 429)
  resendConfirmation(@CurrentUser() user: RequestUser, @UuidParam('id', 'List not found') id: string, @UuidParam('contactId', 'Contact not found') contactId: string): Promise<MessageDto> {
    return this.editor.resend(user, id, contactId);
  }
}
