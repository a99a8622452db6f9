import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  limitSearches,
  RateLimit,
  type RequestUser,
  UuidParam,
} from '../../../shared/http/index.js';
import { PreparationDto } from './preparation.dto.js';
import { ProfileBackfillProgress } from './profile-backfill-progress.service.js';
import { CreateProfileDto, ProfileAddressDto, ProfileDetailDto, ProfileDto, UpdateProfileDto } from './profile.dto.js';
import { ProfileQuery } from './profile-query.dto.js';
import { ProfileEditor } from './profile-editor.service.js';
import { ProfileReader } from './profile-reader.service.js';

const UNKNOWN = 'Contact not found';

/** The people whose addresses an account has. */
@ApiTags('contacts')
@Controller('api/contacts')
export class ProfilesController {
  constructor(
    private readonly reader: ProfileReader,
    private readonly editor: ProfileEditor,
    private readonly preparations: ProfileBackfillProgress,
  ) {}

  /**
   * All contacts of the account, each once, across all lists. `search` takes a part of the address, or the start of the
   * first name, last name or company; `sort` takes createdAt, name, company or lastMailedAt, with `-` for descending.
   * With a filter, at most 10,000 matches are counted; X-Total-Capped: true means that there are more.
   */
  @Get()
  @ApiOkResponse({ type: [ProfileDto] })
  @ApiErrors(400, 401, 404, 409, 429)
  listProfiles(
    @CurrentUser() user: RequestUser,
    @Query() query: ProfileQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<ProfileDto[] | StreamableFile> {
    return collection(
      res,
      query,
      // Costly parts of a query: filters by consent, list or segment, and the order by last mail. They read other
      // tables.
      limitSearches(
        user,
        (part: ProfileQuery & { limit: number }) => this.reader.page(user.id, part),
        ({ consent, list, segment, sort }) => Boolean(consent ?? list ?? segment ?? sort?.endsWith('lastMailedAt')),
      ),
    );
  }

  /** Progress of creating profiles for contacts that were added before profiles existed. */
  @Get('preparation')
  @ApiOkResponse({ type: PreparationDto })
  @ApiErrors(401)
  async getPreparation(@CurrentUser() user: RequestUser): Promise<PreparationDto> {
    const progress = await this.preparations.of(user.id);
    return { preparing: progress !== null, done: progress?.done ?? 0, total: progress?.total ?? 0 };
  }

  /**
   * Adds a person, and adds them to lists as Pending. Answers 409 `contact_exists` with `details.id` for a known
   * address, and 409 `suppressed` for a suppressed one.
   */
  @Post()
  @RateLimit('contacts')
  @ApiCreatedResponse({ type: ProfileDetailDto })
  @ApiErrors(400, 401, 403, 404, 409, 429)
  async addProfile(@CurrentUser() user: RequestUser, @Body() body: CreateProfileDto): Promise<ProfileDetailDto> {
    return this.reader.detail(user.id, await this.editor.create(user, body));
  }

  /** A person, with the lists that the person is on. */
  @Get(':id')
  @ApiOkResponse({ type: ProfileDetailDto })
  @ApiErrors(401, 404)
  getProfile(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<ProfileDetailDto> {
    return this.reader.detail(user.id, id);
  }

  /** Changes a person. Names are copied to the person's contacts on all own lists. */
  @Patch(':id')
  @RateLimit('contacts')
  @ApiOkResponse({ type: ProfileDetailDto })
  @ApiErrors(400, 401, 404, 429)
  async updateProfile(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() body: UpdateProfileDto,
  ): Promise<ProfileDetailDto> {
    await this.editor.update(user.id, id, body);
    return this.reader.detail(user.id, id);
  }

  /** Deletes a person with memberships, notes and tags. Unsubscribes and the records of sends stay. */
  @Delete(':id')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 429)
  deleteProfile(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    return this.editor.remove(user.id, id);
  }

  /**
   * Changes the address of a person, who becomes Pending on all lists, with new confirmation mails. Answers 409
   * `suppressed` for a suppressed address, and 409 `contact_exists` with `details.id` for a known one.
   */
  @Post(':id/address')
  @RateLimit('contacts')
  @HttpCode(200)
  @ApiOkResponse({ type: ProfileDetailDto })
  @ApiErrors(400, 401, 404, 409, 429)
  async changeProfileAddress(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() { email }: ProfileAddressDto,
  ): Promise<ProfileDetailDto> {
    await this.editor.readdress(user.id, id, email);
    return this.reader.detail(user.id, id);
  }
}
