import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Query,
  Req,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Settings } from '../../../shared/config/settings.js';
import {
  ApiErrors,
  collection,
  CurrentUser,
  RateLimit,
  type RequestUser,
  StreamedBody,
  UuidParam,
} from '../../../shared/http/index.js';
import { emailUnverified } from '../composing.errors.js';
import { readPicture } from '../pictures/picture-upload.js';
import { PictureStore } from '../pictures/picture-store.service.js';
import { FileReplacement } from './file-replacement.service.js';
import { StoredFiles } from './stored-files.service.js';
import { FileDetailDto, FileDto, FileQuery, FileSpaceDto, RenameFileDto, ReplaceFileDto } from './file.dto.js';
import { FileLibrary } from './file-library.service.js';
import { toLinkDto } from './links/file-links.controller.js';
import { FileLinks } from './links/file-links.service.js';
import { type UploadedFile, withUpload } from './uploads/file-upload.js';
import { FILE_KINDS } from './stored-file.entity.js';

const UNKNOWN = 'File not found';

@ApiTags('Composing')
@Controller('api/files')
export class FilesController {
  constructor(
    private readonly stored: StoredFiles,
    private readonly pictures: PictureStore,
    private readonly library: FileLibrary,
    private readonly links: FileLinks,
    private readonly replacement: FileReplacement,
    private readonly settings: Settings,
  ) {}

  /**
   * Uploads a picture for messages (PNG or JPEG of at most 2 MB) or a file that goes with them (PDF, Word, ODT or text
   * of at most MAX_UPLOAD_MB; RTF and old Word files only if a virus scanner runs). Uploading the same bytes again
   * answers 200 with the existing file. If a virus scanner runs, a file is `checking` until the scanner has found it
   * clean.
   */
  @Post()
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
  @ApiCreatedResponse({ type: FileDto })
  @ApiOkResponse({ type: FileDto })
  @ApiErrors(400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
  async uploadFile(
    @CurrentUser() user: RequestUser,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<FileDto> {
    if (!user.isVerified) throw emailUnverified();
    const { id, isNew } = await withUpload(req, user.id, this.settings.maxUploadMb, (file) => this.store(user, file));
    res.status(isNew ? 201 : 200);
    return this.library.one(user.id, id);
  }

  /** The caller's files, by default the latest first; `search` looks in the name, `sort` accepts createdAt and name. */
  @Get()
  @ApiOkResponse({ type: [FileDto] })
  @ApiErrors(400, 401)
  listFiles(
    @CurrentUser() user: RequestUser,
    @Query() query: FileQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<FileDto[] | StreamableFile> {
    return collection(res, query, (part) => this.library.page(user.id, part));
  }

  /** The storage that the caller's files use, and its limits. */
  @Get('space')
  @ApiOkResponse({ type: FileSpaceDto })
  @ApiErrors(401)
  getFileSpace(@CurrentUser() user: RequestUser): Promise<FileSpaceDto> {
    return this.stored.space(user.id);
  }

  /** One file, with its links in sent emails. */
  @Get(':id')
  @ApiOkResponse({ type: FileDetailDto })
  @ApiErrors(401, 404)
  async getFile(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<FileDetailDto> {
    const file = await this.library.one(user.id, id);
    const links = file.kind === 'document' ? await this.links.of(user.id, id) : [];
    return { ...file, links: links.map(toLinkDto) };
  }

  /** Renames a file; readers of its links see the new name. */
  @Patch(':id')
  @ApiOkResponse({ type: FileDto })
  @ApiErrors(400, 401, 404)
  async renameFile(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() { name }: RenameFileDto,
  ): Promise<FileDto> {
    await this.stored.rename(user.id, id, name);
    return this.library.one(user.id, id);
  }

  /**
   * Replaces the bytes of a file by those of a newly uploaded file, which is then deleted. Links in sent emails lead to
   * the new version; their counts and dates stay. Answers 409 `file_in_use` if an email already uses the uploaded file,
   * and 409 `file_reported` if a reader reported one of the two files.
   */
  @Post(':id/replace')
  @HttpCode(200)
  @ApiOkResponse({ type: FileDto })
  @ApiErrors(400, 401, 404, 409, 422)
  async replaceFile(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Body() { fileId }: ReplaceFileDto,
  ): Promise<FileDto> {
    await this.replacement.replace(user.id, id, fileId);
    return this.library.one(user.id, id);
  }

  /**
   * Deletes a file. Links to it stop working at once. Answers 409 `file_in_use` if a scheduled email uses the file, and
   * 409 `picture_in_use` if a send, scheduled email, draft, template or the sender profile shows the picture. Caches
   * may serve a deleted picture for up to an hour.
   */
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404, 409)
  async deleteFile(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    if (!(await this.stored.remove(user.id, id))) await this.pictures.remove(user.id, id);
  }

  private async store(user: RequestUser, file: UploadedFile): Promise<{ id: string; isNew: boolean }> {
    if (file.kind === 'document') return this.stored.store(user, file);
    const { picture, isNew } = await this.pictures.store(user.id, await readPicture(file));
    return { id: picture.id, isNew };
  }
}
