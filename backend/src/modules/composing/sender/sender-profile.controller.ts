import { Body, Controller, Get, Put, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ApiErrors,
  CurrentUser,
  IfMatch,
  JsonBody,
  KB,
  RateLimit,
  type RequestUser,
  setVersion,
} from '../../../shared/http/index.js';
import { addressLine } from './postal-address.js';
import { SaveSenderProfileDto, SenderProfileDto } from './sender-profile.dto.js';
import { SenderProfiles, type StoredProfile } from './sender-profiles.service.js';

/**
 * Maximum size of a request body: two rich texts of 2,000 characters each with their nodes, and thirteen short fields.
 */
export const PROFILE_BODY = 128 * KB;

@ApiTags('Composing')
@Controller('api/sender-profile')
export class SenderProfileController {
  constructor(private readonly profiles: SenderProfiles) {}

  /** The caller's sender profile; ETag is its version. */
  @Get()
  @ApiOkResponse({ type: SenderProfileDto })
  @ApiErrors(401)
  async getSenderProfile(
    @CurrentUser() user: RequestUser,
    @Res({ passthrough: true }) res: Response,
  ): Promise<SenderProfileDto> {
    return this.answer(res, await this.profiles.of(user.id));
  }

  /**
   * Replaces the profile if it still has the version in If-Match (`"0"` before the first save); otherwise answers 412
   * `draft_changed`. Accepted sends do not change.
   */
  @Put()
  @RateLimit('save')
  @JsonBody(PROFILE_BODY)
  @ApiHeader({ name: 'If-Match', required: true, description: 'The ETag of the version that is changed' })
  @ApiOkResponse({ type: SenderProfileDto })
  @ApiErrors(400, 401, 404, 412, 413, 428, 429)
  async saveSenderProfile(
    @CurrentUser() user: RequestUser,
    @IfMatch() versions: number[] | null,
    @Body() body: SaveSenderProfileDto,
    @Res({ passthrough: true }) res: Response,
  ): Promise<SenderProfileDto> {
    return this.answer(res, await this.profiles.save(user.id, versions, this.profiles.partsOf(body)));
  }

  private answer(res: Response, { signature, footer, ...profile }: StoredProfile): SenderProfileDto {
    setVersion(res, profile.version);
    return {
      ...profile,
      signature: signature as unknown as SenderProfileDto['signature'],
      footer: footer as unknown as SenderProfileDto['footer'],
      address: addressLine(profile),
      addressRequired: this.profiles.isAddressRequired,
    };
  }
}
