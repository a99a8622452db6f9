import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, collection, CurrentUser, UuidParam, type RequestUser } from '../../../shared/http/index.js';
import { EmailListDetailDto } from '../outreach/confirmation-status.dto.js';
import {
  CreateEmailListDto,
  EmailListDto,
  EmailListQuery,
  UpdateEmailListDto,
  ListFiguresDto,
} from './email-list.dto.js';
import { ListEditor } from './list-editor.service.js';
import { ListFigures } from './list-figures.service.js';
import { ListRemoval } from './list-removal.service.js';
import { ListReader } from './list-reader.service.js';

@ApiTags('lists')
@Controller('api/email-lists')
export class ListsController {
  constructor(
    private readonly reader: ListReader,
    private readonly editor: ListEditor,
    private readonly removal: ListRemoval,
    private readonly figures: ListFigures,
  ) {}

  /** The caller's lists, newest change first; admins see the default list too, `sendable` adds it for everyone. */
  @Get()
  @ApiOkResponse({ type: [EmailListDto] })
  @ApiErrors(400, 401, 429)
  async listEmailLists(
    @CurrentUser() user: RequestUser,
    @Query() query: EmailListQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<EmailListDto[] | StreamableFile> {
    return collection(res, query, (part) => this.reader.page(user, part));
  }

  /** Creates a list. */
  @Post()
  @ApiCreatedResponse({ type: EmailListDto })
  @ApiErrors(400, 401, 403)
  createEmailList(@CurrentUser() user: RequestUser, @Body() body: CreateEmailListDto): Promise<EmailListDto> {
    return this.editor.create(user, body);
  }

  /** One list, and the state of its confirmation mails. */
  @Get(':id')
  @ApiOkResponse({ type: EmailListDetailDto })
  @ApiErrors(401, 404)
  getEmailList(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
  ): Promise<EmailListDetailDto> {
    return this.reader.one(user, id);
  }

  /** Figures of a list, and its growth over the last eight weeks by days of the caller's time zone. */
  @Get(':id/figures')
  @ApiOkResponse({ type: ListFiguresDto })
  @ApiErrors(401, 404)
  getListFigures(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
  ): Promise<ListFiguresDto> {
    return this.figures.of(user, id);
  }

  /** Changes a list; its slug stays. */
  @Patch(':id')
  @ApiOkResponse({ type: EmailListDto })
  @ApiErrors(400, 401, 404)
  updateEmailList(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @Body() body: UpdateEmailListDto,
  ): Promise<EmailListDto> {
    return this.editor.update(user, id, body);
  }

  /** Deletes a list and all its contacts; for 10 seconds it can be restored. Nobody deletes the default list. */
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 403, 404)
  deleteEmailList(@CurrentUser() user: RequestUser, @UuidParam('id', 'List not found') id: string): Promise<void> {
    return this.removal.remove(user, id);
  }

  /** Undoes the deletion of a list, up to 10 seconds later. */
  @Post(':id/restore')
  @HttpCode(200)
  @ApiOkResponse({ type: EmailListDto })
  @ApiErrors(401, 403, 404, 410)
  restoreEmailList(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
  ): Promise<EmailListDto> {
    return this.removal.restore(user, id);
  }
}
