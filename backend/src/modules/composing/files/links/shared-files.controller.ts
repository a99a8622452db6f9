import { Controller, Get, Header, HttpCode, Param, Post, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { Anonymous, ApiErrors, clientOf, CrossSite, IgnoredBody, RateLimit } from '../../../../shared/http/index.js';
import { streamBytes } from '../../../../shared/http/responses/streams.js';
import { InvalidTokenLimiter } from '../../../lists/index.js';
import { SharedFileDto } from './file-link.dto.js';
import { FileLinks } from './file-links.service.js';

/** Headers of answers about a shared file. They keep the file's link from caches, search engines and other sites. */
const PRIVATE: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** Calls by people who follow a link. GET requests change and count nothing, because mail scanners fetch every link. */
@ApiTags('Files')
@Controller('api/files/links')
export class SharedFilesController {
  constructor(
    private readonly links: FileLinks,
    private readonly invalidTokens: InvalidTokenLimiter,
  ) {}

  /**
   * The file that a link leads to. Answers 410 `file_gone` once it is no longer available, with `senderName` and
   * `senderEmail` in `details` unless the sender's account is closed or suspended.
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

  /**
   * Downloads the file, for the button on the page that a link leads to. Browsers save the file and never display it.
   */
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

  /** Reports a file that should not be shared to the operator. Nothing about the reader is stored. */
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
