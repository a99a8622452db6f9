import { Controller, Get, Param, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Anonymous, RateLimit } from '../../../shared/http/index.js';
import { unknownPicture } from '../composing.errors.js';
import type { PictureType } from '../files/stored-file.entity.js';
import { PictureStore } from './picture-store.service.js';

/** File name in a public URL: the picture's token and the extension of its type. */
const NAME = /^([A-Za-z0-9_-]{43})\.(png|jpg)$/;
const TYPES: Readonly<Record<string, PictureType>> = { png: 'image/png', jpg: 'image/jpeg' };

@ApiTags('Composing')
@Controller()
export class PicturesController {
  constructor(private readonly store: PictureStore) {}

  /**
   * A picture in a mail. Everybody gets the same answer; no cookie or session is used, and nothing about the reader is
   * recorded.
   */
  @Get('media/:name')
  @Anonymous()
  @RateLimit('none')
  @ApiExcludeEndpoint()
  async getPicture(
    @Param('name') name: string,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<StreamableFile | undefined> {
    const [, token, extension] = NAME.exec(name) ?? [];
    const type = TYPES[extension ?? ''];
    const key = token && type ? await this.store.keyOf(token, type) : null;
    if (!key || !type) throw unknownPicture();
    // The bytes at a URL never change. Caches drop a deleted picture after an hour.
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.setHeader('ETag', `"${token!}"`);
    res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    // Webmail programs show the picture on pages of their own origin.
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (req.fresh) {
      res.status(304);
      return undefined;
    }
    const content = await this.store.read(key);
    if (!content) throw unknownPicture();
    return new StreamableFile(content, { type, length: content.length });
  }
}
