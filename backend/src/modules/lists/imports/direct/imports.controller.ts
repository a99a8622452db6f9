import { Controller, Get, HttpCode, Post, Req, Res, type StreamableFile } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiHeader,
  ApiOkResponse,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  ApiErrors,
  CurrentUser,
  RateLimit,
  streamCsv,
  StreamedBody,
  UuidParam,
  type RequestUser,
} from '../../../../shared/http/index.js';
import { ImportContactsDto, ImportDto, ImportStartedDto } from './import.dto.js';
import { ImportIntake } from '../upload/import-intake.service.js';
import { DirectImportView } from './direct-import-view.service.js';

@ApiTags('contacts')
@Controller('api/email-lists/:id/subscribers/import')
export class ImportsController {
  constructor(
    private readonly intake: ImportIntake,
    private readonly reader: DirectImportView,
  ) {}

  /** Imports contacts: JSON lines, a text/csv body with a header row, or a form with the file as `file`. */
  @Post()
  @RateLimit('contacts')
  @StreamedBody('JSON or CSV')
  @HttpCode(202)
  @ApiConsumes('application/json', 'text/csv', 'multipart/form-data')
  @ApiBody({ type: ImportContactsDto })
  @ApiHeader({
    name: 'X-Import-Attestation',
    required: false,
    description: 'The attestation of a text/csv body, percent-encoded where it is not ASCII',
  })
  @ApiAcceptedResponse({ type: ImportStartedDto })
  @ApiErrors(400, 401, 403, 404, 413, 429)
  importContacts(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @Req() request: Request,
  ): Promise<ImportStartedDto> {
    return this.intake.take(user, id, request);
  }

  /** Progress of an import, with the first 100 rejected lines. */
  @Get(':jobId')
  @ApiOkResponse({ type: ImportDto })
  @ApiErrors(401, 404)
  getImport(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @UuidParam('jobId', 'Import not found') jobId: string,
  ): Promise<ImportDto> {
    return this.reader.one(user, id, jobId);
  }

  /** All rejected lines with their reasons, as a CSV file. */
  @Get(':jobId/rejected.csv')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(401, 404, 429)
  async downloadRejectedRows(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'List not found') id: string,
    @UuidParam('jobId', 'Import not found') jobId: string,
    @Res({ passthrough: true }) res: Response,
  ): Promise<StreamableFile> {
    return streamCsv(res, 'rejected.csv', ['line', 'email', 'reason'], await this.reader.rejected(user, id, jobId));
  }
}
