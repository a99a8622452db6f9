import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Req,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import {
  Anonymous,
  ApiErrors,
  clientOf,
  CrossSite,
  CurrentUser,
  IgnoredBody,
  RateLimit,
  type RequestUser,
  UuidParam,
} from '../../../../shared/http/index.js';
import { streamBytes } from '../../../../shared/http/responses/streams.js';
import { invalid } from '../../../../shared/errors/app-error.js';
import { InvalidTokenLimiter } from '../../../lists/index.js';
import { ChangeFileLinkDto, FileLinkDto, SharedFileDto } from '../file.dto.js';
import { FileLinks, type StoredLink } from './file-links.service.js';

/** Headers of answers about a shared file: no cache, search engine or other site may learn of its link. */
const PRIVATE: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

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

/** Calls of people who follow a link. GET requests change and count nothing, because mail scanners fetch every link. */
@ApiTags('Files')
@Controller('api/files/links')
export class SharedFilesController {
  constructor(
    private readonly links: FileLinks,
    private readonly invalidTokens: InvalidTokenLimiter,
  ) {}

  /**
   * The file that a link leads to. 410 `file_gone` once it is no longer available; unless the sender's account is
   * closed or suspended, `details` then hold `senderName` and `senderEmail`.
   */
  @Get(':token')
  @Anonymous()
  @ApiOkResponse({ type: SharedFileDto })
  @ApiErrors(404, 409, 410, 429)
  async getSharedFile(
    @Param('token') token: string,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<SharedFileDto> {
    res.set(PRIVATE);
    const file = await this.invalidTokens.guard(req, () => this.links.shared(token));
    const { name, mediaType, byteSize, senderName, senderAgency, expiresAt } = file;
    return { name, mediaType, byteSize, senderName, senderAgency, expiresAt: new Date(expiresAt).toISOString() };
  }

  /** The file itself; the button of the page that a link leads to. Always saved, never shown by a browser. */
  @Post(':token/download')
  @Anonymous()
  // A page that sends no referrer posts its form with `Origin: null`. The token alone authorises the download.
  @CrossSite()
  @IgnoredBody()
  @HttpCode(200)
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiErrors(404, 409, 410, 429, 503)
  async downloadSharedFile(
    @Param('token') token: string,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<StreamableFile> {
    res.set(PRIVATE);
    const { file, content } = await this.invalidTokens.guard(req, () =>
      this.links.download(token, clientOf(req).userAgent),
    );
    res.set('Content-Security-Policy', "default-src 'none'; sandbox");
    res.set('Content-Length', String(file.byteSize));
    return streamBytes(content, {
      type: file.mediaType,
      disposition: contentDisposition(file.name, { type: 'attachment' }),
    });
  }

  /** Tells the operator of a file that should not be there. Nothing about the reader is kept. */
  @Post(':token/report')
  @Anonymous()
  @RateLimit('file-report')
  @HttpCode(204)
  @Header('Cache-Control', 'no-store')
  @ApiNoContentResponse()
  @ApiErrors(400, 404, 429)
  async reportSharedFile(@Param('token') token: string, @Req() req: Request): Promise<void> {
    await this.invalidTokens.guard(req, () => this.links.report(token));
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
