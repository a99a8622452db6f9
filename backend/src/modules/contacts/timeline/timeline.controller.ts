import { Body, Controller, Delete, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiErrors, CurrentUser, RateLimit, type RequestUser, UuidParam } from '../../../shared/http/index.js';
import { pagedWithoutTotal } from '../../../shared/http/requests/paged.js';
import { Notes } from './notes.service.js';
import { ContactNoteDto, CreateNoteDto, TimelineEntryDto, TimelineQuery } from './timeline.dto.js';
import { Timeline } from './timeline.service.js';

const UNKNOWN = 'Contact not found';

/** A person's timeline, evidence and notes. */
@ApiTags('contacts')
@Controller('api/contacts/:id')
export class TimelineController {
  constructor(
    private readonly timeline: Timeline,
    private readonly notes: Notes,
  ) {}

  /**
   * What happened with a person, newest first, 50 entries per page. The Link header has the next page; entries are not
   * counted.
   */
  @Get('timeline')
  @ApiOkResponse({ type: [TimelineEntryDto] })
  @ApiErrors(400, 401, 404)
  async getTimeline(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Query() query: TimelineQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<TimelineEntryDto[]> {
    return pagedWithoutTotal(res, await this.timeline.page(user.id, id, query));
  }

  /** All evidence of a person's consent that the account has, as recorded, as a JSON file. */
  @Get('evidence')
  @RateLimit('export')
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiErrors(401, 404, 429)
  async getEvidence(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Res({ passthrough: true }) res: Response,
  ): Promise<Record<string, unknown>> {
    const evidence = await this.timeline.evidence(user.id, id);
    res.setHeader('Content-Disposition', 'attachment; filename="evidence.json"');
    return evidence;
  }

  /** Adds a note; a contact can have 500. */
  @Post('notes')
  @RateLimit('contacts')
  @ApiCreatedResponse({ type: ContactNoteDto })
  @ApiErrors(400, 401, 404, 409, 429)
  addNote(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() { body }: CreateNoteDto,
  ): Promise<ContactNoteDto> {
    return this.notes.add(user.id, id, body);
  }

  /** Deletes a note. */
  @Delete('notes/:noteId')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 429)
  deleteNote(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @UuidParam('noteId', 'Note not found') noteId: string,
  ): Promise<void> {
    return this.notes.remove(user.id, id, noteId);
  }
}
