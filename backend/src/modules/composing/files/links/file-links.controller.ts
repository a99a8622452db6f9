import { Body, Controller, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, type RequestUser, UuidParam } from '../../../../shared/http/index.js';
import { invalid } from '../../../../shared/errors/app-error.js';
import { ChangeFileLinkDto, FileLinkDto } from './file-link.dto.js';
import { FileLinks, type StoredLink } from './file-links.service.js';

/** Links to files, for their owners. */
@ApiTags('Composing')
@Controller('api/file-links')
export class FileLinksController {
  constructor(private readonly links: FileLinks) {}

  /** Extends a link, or stops it for good. */
  @Patch(':id')
  @ApiOkResponse({ type: FileLinkDto })
  @ApiErrors(400, 401, 404, 410)
  async changeFileLink(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', 'Link not found') id: string,
    @Body() { expiresInDays, revoked }: ChangeFileLinkDto,
  ): Promise<FileLinkDto> {
    if ((expiresInDays === undefined) === (revoked === undefined))
      throw invalid('expiresInDays', 'Send either expiresInDays or revoked');
    return toLinkDto(
      expiresInDays === undefined
        ? await this.links.revoke(user.id, id)
        : await this.links.extend(user.id, id, expiresInDays),
    );
  }
}

const iso = (time: Date | null): string | null => time && new Date(time).toISOString();

export const toLinkDto = ({ expiresAt, revokedAt, sentAt, lastDownloadAt, ...link }: StoredLink): FileLinkDto => ({
  ...link,
  sentAt: new Date(sentAt).toISOString(),
  expiresAt: new Date(expiresAt).toISOString(),
  revokedAt: iso(revokedAt),
  lastDownloadAt: iso(lastDownloadAt),
});
