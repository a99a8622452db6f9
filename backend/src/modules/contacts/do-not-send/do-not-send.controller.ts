import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Query,
  Req,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  ApiErrors,
  clientOf,
  collection,
  CurrentUser,
  JsonBody,
  KB,
  limitSearches,
  RateLimit,
  type RequestUser,
  streamCsv,
  UuidParam,
} from '../../../shared/http/index.js';
import { BulkRules } from './bulk-rules.service.js';
import {
  BulkDoNotSendDto,
  BulkDoNotSendResultDto,
  CreateDoNotSendDto,
  DoNotSendAddedDto,
  DoNotSendQuery,
  DoNotSendRuleDto,
  DoNotSendSuggestionDto,
  UpdateDoNotSendDto,
} from './do-not-send.dto.js';
import { RuleEditor } from './rule-editor.service.js';
import { RULE_CSV, RuleReader } from './rule-reader.service.js';

const UNKNOWN = 'Rule not found';
/** Maximum size of a request body: 1,000,000 characters as JSON, some of which take several bytes. */
const BULK_BODY = 4 * 1024 * KB;

/** Addresses and domains to which the account's emails never go. */
@ApiTags('contacts')
@Controller('api')
export class DoNotSendController {
  constructor(
    private readonly reader: RuleReader,
    private readonly editor: RuleEditor,
    private readonly bulk: BulkRules,
  ) {}

  /**
   * The do-not-send rules in force. `search` takes a part of the value or note; `sort` takes createdAt or value, with
   * `-` for descending.
   */
  @Get('do-not-send')
  @ApiOkResponse({ type: [DoNotSendRuleDto] })
  @ApiErrors(400, 401, 429)
  listDoNotSend(
    @CurrentUser() user: RequestUser,
    @Query() query: DoNotSendQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<DoNotSendRuleDto[] | StreamableFile> {
    return collection(
      res,
      query,
      limitSearches(
        user,
        (part: DoNotSendQuery & { limit: number }) => this.reader.page(user.id, part),
        // Every query is costly, because each rule's contacts are counted.
        () => true,
      ),
    );
  }

  /** The do-not-send rules as a CSV file, which `POST do-not-send/bulk` accepts. */
  @Get('do-not-send.csv')
  @RateLimit('export')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiErrors(401, 429)
  exportDoNotSend(@CurrentUser() user: RequestUser, @Res({ passthrough: true }) res: Response): StreamableFile {
    return streamCsv(res, 'do-not-send.csv', [...RULE_CSV], this.reader.csvRows(user.id));
  }

  /** The domain of the account's own agency, if no rule covers it yet. */
  @Get('do-not-send/suggestion')
  @ApiOkResponse({ type: DoNotSendSuggestionDto })
  @ApiErrors(401)
  async getDoNotSendSuggestion(@CurrentUser() user: RequestUser): Promise<DoNotSendSuggestionDto> {
    return { value: await this.reader.suggestion(user) };
  }

  /**
   * Adds a rule; an account can have 5,000. Answers 409 `rule_exists` for an existing rule, and 409 `broad_rule` for a
   * free-mail domain or a domain with at least 1,000 contacts, unless `confirm` is set. With the reason asked_to_stop,
   * removes the address from all lists and adds no rule.
   */
  @Post('do-not-send')
  @RateLimit('contacts')
  @ApiCreatedResponse({ type: DoNotSendAddedDto })
  @ApiErrors(400, 401, 409, 429)
  addDoNotSend(
    @CurrentUser() user: RequestUser,
    @Body() body: CreateDoNotSendDto,
    @Req() req: Request,
  ): Promise<DoNotSendAddedDto> {
    return this.editor.add(user, body, clientOf(req));
  }

  /**
   * Adds up to 5,000 entries, one per line, and reports the refused lines. A domain that needs a confirmation is
   * refused; it has to be added individually.
   */
  @Post('do-not-send/bulk')
  @JsonBody(BULK_BODY)
  @RateLimit('bulk')
  @HttpCode(200)
  @ApiOkResponse({ type: BulkDoNotSendResultDto })
  @ApiErrors(400, 401, 413, 429)
  addManyDoNotSend(
    @CurrentUser() user: RequestUser,
    @Body() body: BulkDoNotSendDto,
    @Req() req: Request,
  ): Promise<BulkDoNotSendResultDto> {
    return this.bulk.add(user, body, clientOf(req));
  }

  /** Changes the reason, note or end of a rule. */
  @Patch('do-not-send/:id')
  @RateLimit('contacts')
  @ApiOkResponse({ type: DoNotSendRuleDto })
  @ApiErrors(400, 401, 404, 429)
  updateDoNotSend(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() body: UpdateDoNotSendDto,
  ): Promise<DoNotSendRuleDto> {
    return this.editor.update(user, id, body);
  }

  /** Deletes a rule. The addresses that it covered can be mailed again. */
  @Delete('do-not-send/:id')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 429)
  deleteDoNotSend(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    return this.editor.remove(user.id, id);
  }
}
