import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiErrors,
  CurrentUser,
  JsonBody,
  KB,
  RateLimit,
  type RequestUser,
  UuidParam,
} from '../../../shared/http/index.js';
import { BulkJobDto, BulkRequestDto, BulkStartedDto } from './bulk.dto.js';
import { BulkJobs } from './bulk-jobs.service.js';

/** Maximum size of a request body: 1,000 UUIDs as JSON are 39 KB. */
const BULK_BODY = 64 * KB;

/** Changes of many contacts. */
@ApiTags('contacts')
@Controller('api/contacts/bulk')
export class BulkController {
  constructor(private readonly jobs: BulkJobs) {}

  /**
   * Starts a change of many contacts: of up to 1,000 ids, or of all contacts that a filter finds. The progress of the
   * change is available under the id in the answer, and as `bulk` events.
   */
  @Post()
  @JsonBody(BULK_BODY)
  @RateLimit('bulk')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: BulkStartedDto })
  @ApiErrors(400, 401, 404, 413, 429)
  async startBulk(@CurrentUser() user: RequestUser, @Body() body: BulkRequestDto): Promise<BulkStartedDto> {
    return { jobId: await this.jobs.start(user.id, body) };
  }

  /** State and progress of a bulk change. */
  @Get(':jobId')
  @ApiOkResponse({ type: BulkJobDto })
  @ApiErrors(401, 404)
  getBulk(
    @CurrentUser() user: RequestUser,
    @UuidParam('jobId', 'Bulk change not found') jobId: string,
  ): Promise<BulkJobDto> {
    return this.jobs.one(user.id, jobId);
  }
}
