import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  RateLimit,
  type RequestUser,
  streamCsv,
  StreamedBody,
  UuidParam,
} from '../../../../shared/http/index.js';
import { lineNotFound } from '../../lists.errors.js';
import { ImportStartedDto, PastedTextDto } from '../direct/import.dto.js';
import { ImportIntake } from '../upload/import-intake.service.js';
import { AccountImportDetailDto } from './account-import.dto.js';
import { ImportActions } from './import-actions.service.js';
import { ImportEditor } from './import-editor.service.js';
import { ImportLines } from './import-lines.service.js';
import { ImportLineDto } from './import-report.dto.js';
import {
  CorrectLineDto,
  FixDomainDto,
  ImportPageQuery,
  ImportRowQuery,
  UpdateImportDto,
} from './import-request.dto.js';
import { AccountImportDto } from './import-summary.dto.js';
import { ImportView } from './import-view.service.js';
import { RejectedLines } from './rejected-lines.service.js';

const UNKNOWN = 'Import not found';

/** Imports of people in steps: read, choose columns, check, commit; undo. */
@ApiTags('imports')
@Controller('api/imports')
export class AccountImportsController {
  constructor(
    private readonly intake: ImportIntake,
    private readonly view: ImportView,
    private readonly editor: ImportEditor,
    private readonly actions: ImportActions,
    private readonly lines: ImportLines,
    private readonly rejected: RejectedLines,
  ) {}

  /**
   * Receives a file as the part `file` of a form (.csv, .tsv, .txt or .xlsx, at most 100 MB), or pasted text. Nothing
   * is imported yet. Fails with 400 `file_type` for an unsupported file, 400 `file_too_large` for a file beyond the
   * reader's limits, and 429 `imports_open` while three imports are unfinished.
   */
  @Post()
  @RateLimit('imports')
  @StreamedBody('JSON or a form')
  @ApiConsumes('application/json', 'multipart/form-data')
  @ApiBody({ type: PastedTextDto })
  @ApiCreatedResponse({ type: ImportStartedDto })
  @ApiErrors(400, 401, 403, 413, 429)
  createImport(@CurrentUser() user: RequestUser, @Req() request: Request): Promise<ImportStartedDto> {
    return this.intake.receive(user, request);
  }

  /** The account's imports, newest first, without discarded ones. */
  @Get()
  @ApiOkResponse({ type: [AccountImportDto] })
  @ApiErrors(400, 401)
  listImports(
    @CurrentUser() user: RequestUser,
    @Query() query: ImportPageQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<AccountImportDto[] | StreamableFile> {
    return collection(res, query, (part) => this.view.page(user.id, part));
  }

  /**
   * One import: its columns, the chosen options, the result of its check, its progress. `import` events announce
   * changes.
   */
  @Get(':id')
  @ApiOkResponse({ type: AccountImportDetailDto })
  @ApiErrors(401, 404)
  getAccountImport(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
  ): Promise<AccountImportDetailDto> {
    return this.view.one(user.id, id);
  }

  /**
   * Changes the options. After a check, any change except to the attestation drops the result of the check. If another
   * sheet is chosen, that sheet is read first. 409 `import_state` unless the import waits for its user.
   */
  @Patch(':id')
  @RateLimit('contacts')
  @ApiOkResponse({ type: AccountImportDetailDto })
  @ApiErrors(400, 401, 404, 409, 429)
  async updateImport(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() body: UpdateImportDto,
  ): Promise<AccountImportDetailDto> {
    await this.editor.update(user, id, body);
    return this.view.one(user.id, id);
  }

  /**
   * Checks what an import would do, without changing any contact; the import is `ready` afterwards. 400 if no column
   * holds the address.
   */
  @Post(':id/check')
  @RateLimit('contacts')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: AccountImportDetailDto })
  @ApiErrors(400, 401, 404, 409, 429)
  async checkImport(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
  ): Promise<AccountImportDetailDto> {
    await this.actions.check(user, id);
    return this.view.one(user.id, id);
  }

  /** Lines of a checked import, in the order of the file. */
  @Get(':id/rows')
  @ApiOkResponse({ type: [ImportLineDto] })
  @ApiErrors(400, 401, 404, 409)
  listImportRows(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Query() query: ImportRowQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<ImportLineDto[] | StreamableFile> {
    return collection(res, query, (part) => this.lines.page(user.id, id, part));
  }

  /**
   * Corrects the address of one line of a checked import. The line is judged again, and so are lines with the same
   * address.
   */
  @Patch(':id/rows/:line')
  @RateLimit('contacts')
  @ApiOkResponse({ type: ImportLineDto })
  @ApiErrors(400, 401, 404, 409, 429)
  async correctImportRow(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Param('line') line: string,
    @Body() { email }: CorrectLineDto,
  ): Promise<ImportLineDto> {
    if (!/^[1-9]\d{0,8}$/.test(line)) throw lineNotFound();
    return this.lines.correct(user.id, id, Number(line), email);
  }

  /**
   * Decides about all addresses at a domain: they get another domain, are left out, or stay as they are. Checks the
   * import again.
   */
  @Post(':id/fix-domain')
  @RateLimit('contacts')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: AccountImportDetailDto })
  @ApiErrors(400, 401, 404, 409, 429)
  async fixImportDomain(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() body: FixDomainDto,
  ): Promise<AccountImportDetailDto> {
    await this.actions.fixDomain(user, id, body);
    return this.view.one(user.id, id);
  }

  /**
   * Commits a checked import. A repeated call with the same Idempotency-Key changes nothing; a repeated call without a
   * key fails with 409 `import_state`.
   */
  @Post(':id/commit')
  @RateLimit('contacts')
  @HttpCode(202)
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Any text of up to 255 characters that stands for this press of the button',
  })
  @ApiAcceptedResponse({ type: AccountImportDetailDto })
  @ApiErrors(400, 401, 404, 409, 429)
  async commitImport(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Headers('Idempotency-Key') key?: string,
  ): Promise<AccountImportDetailDto> {
    await this.actions.commit(user, id, key?.trim() || null);
    return this.view.one(user.id, id);
  }

  /** Discards an import that was not committed, with its file. */
  @Post(':id/discard')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 409, 429)
  discardImport(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    return this.actions.discard(user, id);
  }

  /**
   * Undoes an import within 7 days: removes the people whom it added, unless a message has reached them or they are
   * confirmed. Values that it changed are not restored. 410 `undo_expired` after the 7 days.
   */
  @Post(':id/undo')
  @RateLimit('contacts')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: AccountImportDetailDto })
  @ApiErrors(401, 404, 409, 410, 429)
  async undoImport(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
  ): Promise<AccountImportDetailDto> {
    await this.actions.undo(user, id);
    return this.view.one(user.id, id);
  }

  /** The lines that are left out, as they are in the file, with the reason as text. */
  @Get(':id/rejected.csv')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(401, 404, 429)
  async downloadLeftOutLines(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Res({ passthrough: true }) res: Response,
  ): Promise<StreamableFile> {
    const { header, lines } = await this.rejected.table(user.id, id);
    return streamCsv(res, 'rejected.csv', header, lines);
  }
}
