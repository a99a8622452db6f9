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

/** The people that an account knows. */
@ApiTags('contacts')
@Controller('api/contacts')
export class ProfilesController {
  constructor(
    private readonly reader: ProfileReader,
    private readonly editor: ProfileEditor,
    private readonly preparations: ProfileBackfillProgress,
  ) {}

  /**
   * Everyone that the account knows, once, whatever lists they are on. `search` takes a part of the address, or the
   * start of first name, last name or company; `sort` takes createdAt, name, company or lastMailedAt, `-` for
   * descending. With a filter at most 10,000 matches are counted; X-Total-Capped: true means that there are more.
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
      // Costly filters: consent and the last mail are computed from other tables.
      limitSearches(
        user,
        (part: ProfileQuery & { limit: number }) => this.reader.page(user.id, part),
        ({ consent, list, segment, sort }) => Boolean(consent ?? list ?? segment ?? sort?.endsWith('lastMailedAt')),
      ),
    );
  }

  /** Progress of creating profiles for older contacts. */
  @Get('preparation')
  @ApiOkResponse({ type: PreparationDto })
  @ApiErrors(401)
  async getPreparation(@CurrentUser() user: RequestUser): Promise<PreparationDto> {
    const progress = await this.preparations.of(user.id);
    return { preparing: progress !== null, done: progress?.done ?? 0, total: progress?.total ?? 0 };
  }

  /** Adds a person, and to lists as Pending. 409 `contact_exists` with `details.id` where the address is known, `suppressed`. */
  @Post()
  @RateLimit('contacts')
  @ApiCreatedResponse({ type: ProfileDetailDto })
  @ApiErrors(400, 401, 403, 404, 409, 429)
  async addProfile(@CurrentUser() user: RequestUser, @Body() body: CreateProfileDto): Promise<ProfileDetailDto> {
    return this.reader.detail(user.id, await this.editor.create(user, body));
  }

  /** One person with the lists. */
  @Get(':id')
  @ApiOkResponse({ type: ProfileDetailDto })
  @ApiErrors(401, 404)
  getProfile(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<ProfileDetailDto> {
    return this.reader.detail(user.id, id);
  }

  /** Changes a person; names are written through to the contacts of all own lists. */
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

  /** Deletes a person with memberships, notes and tags. Unsubscribes and the record of sends stay. */
  @Delete(':id')
  @RateLimit('contacts')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 429)
  deleteProfile(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    return this.editor.remove(user.id, id);
  }

  /**
   * Changes the address: Pending on all lists, with new confirmation mails. 409 `suppressed`, `contact_exists` with
   * `details.id`.
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
