import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  ApiErrors,
  collection,
  CurrentUser,
  DocumentBody,
  KB,
  RateLimit,
  type RequestUser,
  UuidParam,
  IfMatch,
  setVersion,
} from '../../../shared/http/index.js';
import {
  CreateTemplateDto,
  TemplateDto,
  TemplateQuery,
  TemplateSummaryDto,
  UpdateTemplateDto,
} from './template.dto.js';
import { TemplateSources } from './template-sources.service.js';
import { type StoredTemplate, TemplateStore, type TemplateSummary } from './template-store.service.js';

const TEMPLATE_BODY = 1024 * KB;
const UNKNOWN = 'Template not found';

@ApiTags('Composing')
@Controller('api/email-templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplateStore,
    private readonly sources: TemplateSources,
  ) {}

  /**
   * The caller's templates without their messages, by default the last changed first; `search` looks in name and
   * subject.
   */
  @Get()
  @ApiOkResponse({ type: [TemplateSummaryDto] })
  @ApiErrors(400, 401)
  listTemplates(
    @CurrentUser() user: RequestUser,
    @Query() query: TemplateQuery,
    @Res({ passthrough: true }) res: Response,
  ): Promise<TemplateSummaryDto[] | StreamableFile> {
    return collection(res, query, async (part) => {
      const page = await this.templates.page(user.id, part);
      return { ...page, rows: page.rows.map(toSummary) };
    });
  }

  /** Creates a template from a document, a past send or a draft. A user has at most 200 templates. */
  @Post()
  @RateLimit('save')
  @DocumentBody(TEMPLATE_BODY, 'document')
  @ApiCreatedResponse({ type: TemplateDto })
  @ApiErrors(400, 401, 404, 409, 413, 429)
  async createTemplate(
    @CurrentUser() user: RequestUser,
    @Body() body: CreateTemplateDto,
    @Res({ passthrough: true }) res: Response,
  ): Promise<TemplateDto> {
    return answer(res, await this.templates.create(user.id, await this.sources.partsOf(user, body)));
  }

  /** One template; ETag is its version. */
  @Get(':id')
  @ApiOkResponse({ type: TemplateDto })
  @ApiErrors(401, 404)
  async getTemplate(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Res({ passthrough: true }) res: Response,
  ): Promise<TemplateDto> {
    return answer(res, await this.templates.one(user.id, id));
  }

  /**
   * Changes a template if it still has the version in If-Match, and answers the template without its message. Drafts
   * and sends made from it do not change.
   */
  @Patch(':id')
  @RateLimit('save')
  @DocumentBody(TEMPLATE_BODY, 'document')
  @ApiHeader({ name: 'If-Match', required: true, description: 'The ETag of the version that is changed' })
  @ApiOkResponse({ type: TemplateSummaryDto })
  @ApiErrors(400, 401, 404, 409, 412, 413, 428, 429)
  async updateTemplate(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @IfMatch() versions: number[] | null,
    @Body() body: UpdateTemplateDto,
    @Res({ passthrough: true }) res: Response,
  ): Promise<TemplateSummaryDto> {
    const parts = await this.sources.changesOf(user, body);
    const changed = await this.templates.update(user.id, id, versions, parts);
    setVersion(res, changed.version);
    return toSummary(changed);
  }

  /** Deletes a template; sends made from it stay. */
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  @ApiErrors(401, 404)
  async deleteTemplate(@CurrentUser() user: RequestUser, @UuidParam('id', UNKNOWN) id: string): Promise<void> {
    await this.templates.remove(user.id, id);
  }

  /** Copies a template as "… copy". */
  @Post(':id/duplicate')
  @RateLimit('save')
  @ApiCreatedResponse({ type: TemplateDto })
  @ApiErrors(401, 404, 409, 429)
  async duplicateTemplate(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Res({ passthrough: true }) res: Response,
  ): Promise<TemplateDto> {
    return answer(res, await this.templates.duplicate(user.id, id));
  }

  /** Counts a use of a template and answers the template. */
  @Post(':id/use')
  @HttpCode(200)
  @ApiOkResponse({ type: TemplateDto })
  @ApiErrors(401, 404)
  async applyTemplate(
    @CurrentUser() user: RequestUser,
    @UuidParam('id', UNKNOWN) id: string,
    @Res({ passthrough: true }) res: Response,
  ): Promise<TemplateDto> {
    return answer(res, await this.templates.use(user.id, id));
  }
}

function answer(res: Response, template: StoredTemplate): TemplateDto {
  setVersion(res, template.version);
  return { ...toSummary(template), document: template.document as unknown as TemplateDto['document'] };
}

const toSummary = (row: TemplateSummary): TemplateSummaryDto => ({
  id: row.id,
  version: row.version,
  name: row.name,
  emailType: row.emailType,
  subject: row.subject,
  brand: row.options?.brand ?? null,
  signature: row.options?.signature ?? null,
  useCount: row.useCount,
  usedAt: row.usedAt && new Date(row.usedAt).toISOString(),
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
});
