import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Post,
  Put,
  Query,
  Req,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  ApiErrors,
  clientOf,
  collection,
  CurrentUser,
  DocumentBody,
  KB,
  PageQuery,
  RateLimit,
  type RequestUser,
  UuidParam,
  IfMatch,
  setVersion,
} from '../../../shared/http/index.js';
import { describeUserAgent } from '../../auth/index.js';
import { CreateDraftDto, DraftDto, DraftSavedDto, DraftSummaryDto, SaveDraftDto } from './draft.dto.js';
import { DraftCopies } from './draft-copies.service.js';
import { DraftLibrary } from './draft-library.service.js';
import { Drafts, type SavedDraft, type StoredDraft } from './drafts.service.js';

/** Maximum size of a request body. Fits the largest document together with the ids of 1,000 lists. */
const DRAFT_BODY = 1024 * KB;
const UNKNOWN = 'Draft not found';

@ApiTags('Composing')
@Controller('api/drafts')
export class DraftsController {
  constructor(
    private readonly drafts: Drafts,
    private readonly library: DraftLibrary,
    private readonly copies: DraftCopies,
  ) {}

  /** The caller's drafts without their messages, by default the last changed first; `search` looks in the subject. */
  @Get()
  @ApiOkResponse({ type: [DraftSummaryDto] })
  @ApiErrors(400, 401)
  listDrafts(
    @CurrentUser() user: RequestUser,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<DraftSummaryDto[] | StreamableFile> {
    return collection(res, query, (part) => this.library.page(user, part));
  }

  /**
   * Creates a draft from the given parts, or as a copy of a past send or another draft. A user has at most 200 drafts.
   */
  @Post()
  @RateLimit('save')
  @DocumentBody(DRAFT_BODY, 'document')
  @ApiCreatedResponse({ type: DraftDto })
  @ApiErrors(400, 401, 404, 409, 413, 429)
  async createDraft(
    @CurrentUser() user: RequestUser,
    @Body() body: CreateDraftDto,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<DraftDto> {
    const draft = await this.drafts.create(user.id, await this.copies.partsOf(user, body), deviceOf(req));
    setVersion(res, draft.version);
    return toDraft(draft);
  }

  /**
   * One draft; ETag is its version. Answers 410 `draft_sent` with the id of the send once the draft was sent, and 410
   * `draft_scheduled` once it was scheduled.
   */
  @Get(':id')
  @ApiOkResponse({ type: DraftDto })
  @ApiErrors(401, 404, 410)
  async getDraft(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Res({ passthrough: true }) res: Response,
  ): Promise<DraftDto> {
    const draft = await this.drafts.one(user.id, id);
    setVersion(res, draft.version);
    return toDraft(draft);
  }

  /**
   * Replaces all parts of a draft if it still has the version in If-Match. Otherwise answers 412 `draft_changed`, with
   * version, updatedAt and device of the stored draft in `details`. A draft may be incomplete.
   */
  @Put(':id')
  @RateLimit('save')
  @DocumentBody(DRAFT_BODY, 'document')
  @ApiHeader({ name: 'If-Match', required: true, description: 'The ETag of the version that is changed' })
  @ApiOkResponse({ type: DraftSavedDto })
  @ApiErrors(400, 401, 404, 410, 412, 413, 428, 429)
  async saveDraft(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @IfMatch() versions: number[] | null,
    @Body() body: SaveDraftDto,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<DraftSavedDto> {
    const parts = await this.drafts.partsOf(user, body);
    const saved = await this.drafts.save(user.id, id, versions, parts, deviceOf(req));
    setVersion(res, saved.version);
    return toSaved(saved);
  }

  /** Deletes a draft. */
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 410)
  async deleteDraft(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    await this.drafts.remove(user.id, id);
  }
}

/** Browser and system of the request, such as "Chrome, Windows". */
const deviceOf = (req: Request): string => describeUserAgent(clientOf(req).userAgent).replace(' on ', ', ');

const toSaved = ({ id, version, updatedAt, device }: SavedDraft): DraftSavedDto => ({
  id,
  version,
  updatedAt: new Date(updatedAt).toISOString(),
  device,
});

/** The audience of a draft that names lists only. */
const NO_AUDIENCE = {
  segmentIds: [],
  excludeListIds: [],
  excludeSegmentIds: [],
  excludeAddresses: [],
  perCompany: null,
  goneSegments: [],
};

const toDraft = ({ listIds, audience, options, createdAt, ...draft }: StoredDraft): DraftDto => ({
  ...NO_AUDIENCE,
  ...audience,
  ...draft,
  ...toSaved(draft),
  emailListIds: listIds,
  brand: options?.brand ?? null,
  signature: options?.signature ?? null,
  document: draft.document as unknown as DraftDto['document'],
  createdAt: new Date(createdAt).toISOString(),
});
