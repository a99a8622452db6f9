import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, Public } from '../../shared/http/index.js';
import { PublicListDto } from './dto/email-list.dto.js';
import { ListReader } from './list-reader.service.js';

@ApiTags('lists')
@Controller('api/email-lists/slug')
export class PublicListsController {
  constructor(private readonly reader: ListReader) {}

  /** What the public subscribe page shows of a list. */
  @Get(':slug')
  @Public()
  @ApiOkResponse({ type: PublicListDto })
  @ApiErrors(404)
  getPublicList(@Param('slug') slug: string): Promise<PublicListDto> {
    return this.reader.bySlug(slug);
  }
}
