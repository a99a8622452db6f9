import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res, StreamableFile } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiExcludeEndpoint,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Anonymous,
  ApiErrors,
  CurrentUser,
  RateLimit,
  type RequestUser,
  StreamedBody,
  UuidParam,
} from '../../../shared/http/index.js';
import { emailUnverified, unknownPicture } from '../composing.errors.js';
import { PictureDto } from './picture.dto.js';
import { PictureStore, type StoredPicture } from './picture-store.service.js';
import { readPicture } from './picture-upload.js';
import { Pictures } from './pictures.service.js';
import { FILE_KINDS, type PictureType } from './stored-file.entity.js';

/** The public name of a picture: its token and its type. */
const NAME = /^([A-Za-z0-9_-]{43})\.(png|jpg)$/;
const UNKNOWN = 'Picture not found';
const TYPES: Readonly<Record<string, PictureType>> = { png: 'image/png', jpg: 'image/jpeg' };

@ApiTags('Composing')
@Controller()
export class PicturesController {
  constructor(
    private readonly store: PictureStore,
    private readonly pictures: Pictures,
  ) {}

  /** Uploads a picture for messages: PNG or JPEG of at most 2 MB. The same bytes once more answer 200 with the first. */
  @Post('api/files')
  @RateLimit('upload')
  @StreamedBody('a form with one part named file')
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['file', 'kind'],
      properties: {
        file: { type: 'string', format: 'binary' },
        kind: { type: 'string', enum: [...FILE_KINDS] },
      },
    },
  })
  @ApiCreatedResponse({ type: PictureDto })
  @ApiOkResponse({ type: PictureDto })
  @ApiErrors(400, 401, 403, 409, 413, 415, 429)
  async uploadFile(
    @CurrentUser() user: RequestUser,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<PictureDto> {
    if (!user.isVerified) throw emailUnverified();
    const { picture, isNew } = await this.store.store(user.id, await readPicture(req));
    res.status(isNew ? 201 : 200);
    return this.toDto(picture);
  }

  /** The caller's pictures, the latest first; at most 500. */
  @Get('api/files')
  @ApiOkResponse({ type: [PictureDto] })
  @ApiErrors(401)
  async listFiles(@CurrentUser() user: RequestUser): Promise<PictureDto[]> {
    return (await this.store.all(user.id)).map((picture) => this.toDto(picture));
  }

  /** One picture, with the address where its bytes are. */
  @Get('api/files/:id')
  @ApiOkResponse({ type: PictureDto })
  @ApiErrors(401, 404)
  async getFile(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<PictureDto> {
    return this.toDto(await this.store.one(user.id, id));
  }

  /**
   * Deletes a picture that no send, draft or template shows; else 409 `picture_in_use`. Its address may go on answering
   * for an hour, from caches on the way.
   */
  @Delete('api/files/:id')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 409)
  async deleteFile(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    await this.store.remove(user.id, id);
  }

  /** A picture in a mail: the same for everybody, without a cookie, a session or a record of who asked. */
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
    // A deleted picture is gone from every cache within the hour; the bytes behind an address never change.
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.setHeader('ETag', `"${token!}"`);
    res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
    // Mail programs in browsers show it on their own origin.
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (req.fresh) {
      res.status(304);
      return undefined;
    }
    const content = await this.store.read(key);
    if (!content) throw unknownPicture();
    return new StreamableFile(content, { type, length: content.length });
  }

  private toDto({ id, name, mediaType, byteSize, width, height, createdAt, ...picture }: StoredPicture): PictureDto {
    const url = this.pictures.urlOf({ ...picture, mediaType });
    return {
      id,
      kind: 'image',
      name,
      mediaType,
      byteSize,
      width,
      height,
      url,
      createdAt: new Date(createdAt).toISOString(),
    };
  }
}
