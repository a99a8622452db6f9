import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  JsonBody,
  KB,
  PageQuery,
  RateLimit,
  type RequestUser,
  streamCsv,
  UuidParam,
} from '../../../shared/http/index.js';
import { SegmentCounts } from './segment-counts.service.js';
import { SegmentExport } from './segment-export.service.js';
import { SegmentTermList } from './segment-term-list.service.js';
import {
  CountRequestDto,
  CreateSegmentDto,
  SegmentCountDto,
  SegmentDto,
  SegmentTermDto,
  UpdateSegmentDto,
} from './segment.dto.js';
import { Segments } from './segments.service.js';

const UNKNOWN = 'Segment not found';
/**
 * Maximum size of a request body: a filter of 32 KB and the rest of the request. A longer filter is refused with a
 * message.
 */
const FILTER_BODY = 64 * KB;

/** Saved filters over contacts. */
@ApiTags('segments')
@Controller('api/segments')
export class SegmentsController {
  constructor(
    private readonly segments: Segments,
    private readonly counts: SegmentCounts,
    private readonly termList: SegmentTermList,
    private readonly exports: SegmentExport,
  ) {}

  /**
   * The account's segments. `search` looks in the name; `sort` takes name, createdAt or lastUsedAt, with `-` for
   * descending.
   */
  @Get()
  @ApiOkResponse({ type: [SegmentDto] })
  @ApiErrors(400, 401)
  listSegments(
    @CurrentUser() user: RequestUser,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<SegmentDto[] | StreamableFile> {
    return collection(res, query, (part) => this.segments.page(user.id, part));
  }

  /**
   * Saves a filter; an account can have 500 segments. Answers 400 with the path of each invalid rule, 403 `plan_limit`
   * and 409 `segment_exists`.
   */
  @Post()
  @JsonBody(FILTER_BODY)
  @RateLimit('contacts')
  @ApiCreatedResponse({ type: SegmentDto })
  @ApiErrors(400, 401, 403, 409, 413, 429)
  createSegment(@CurrentUser() user: RequestUser, @Body() body: CreateSegmentDto): Promise<SegmentDto> {
    return this.segments.create(user.id, body);
  }

  /** The terms that a filter can use: fields, comparisons and the values to choose from. */
  @Get('terms')
  @ApiOkResponse({ type: [SegmentTermDto] })
  @ApiErrors(401)
  listSegmentTerms(@CurrentUser() user: RequestUser): Promise<SegmentTermDto[]> {
    return this.termList.of(user.id);
  }

  /**
   * Counts the people of a filter or a saved segment. If an exact count takes longer than 0.9 seconds (5 with `exact`),
   * the numbers are estimates. Limited to 120 calls a minute, two at a time. Answers 409 `preparing` and 409
   * `segment_broken`.
   */
  @Post('count')
  @JsonBody(FILTER_BODY)
  @RateLimit('count')
  @HttpCode(200)
  @ApiOkResponse({ type: SegmentCountDto })
  @ApiErrors(400, 401, 404, 409, 413, 429, 503)
  countSegment(@CurrentUser() user: RequestUser, @Body() body: CountRequestDto): Promise<SegmentCountDto> {
    return this.counts.count(user, body);
  }

  /** A segment. */
  @Get(':id')
  @ApiOkResponse({ type: SegmentDto })
  @ApiErrors(401, 404)
  getSegment(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<SegmentDto> {
    return this.segments.one(user.id, id);
  }

  /** Changes the name or filter of a segment. Answers 409 `segment_exists` and 409 `segment_changed`. */
  @Patch(':id')
  @JsonBody(FILTER_BODY)
  @RateLimit('contacts')
  @ApiOkResponse({ type: SegmentDto })
  @ApiErrors(400, 401, 404, 409, 413, 429)
  updateSegment(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() body: UpdateSegmentDto,
  ): Promise<SegmentDto> {
    return this.segments.update(user.id, id, body);
  }

  /** Deletes a segment, but not its people. Answers 409 `in_use` while something uses the segment. */
  @Delete(':id')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 409, 429)
  deleteSegment(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    return this.segments.remove(user.id, id);
  }

  /** The segment's people as a CSV file. Answers 409 `preparing` and 409 `segment_broken`. */
  @Get(':id/export')
  @RateLimit('export')
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiErrors(401, 404, 409, 429)
  async exportSegment(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Res({ passthrough: true }) res: Response,
  ) {
    const { header, rows } = await this.exports.of(user.id, id);
    return streamCsv(res, `segment-${id}.csv`, header, rows);
  }
}
