import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiErrors, CurrentUser, limitSearches, type RequestUser } from '../../../shared/http/index.js';
import { MergeTagDto, MergeTagQuery } from './merge-tag.dto.js';
import { MergeTagMenu } from './merge-tag-menu.service.js';

@ApiTags('Composing')
@Controller('api/merge-tags')
export class MergeTagsController {
  constructor(private readonly menu: MergeTagMenu) {}

  /** The merge tags that an email to the chosen lists may use. */
  @Get()
  @ApiOkResponse({ type: [MergeTagDto] })
  @ApiErrors(400, 401, 404, 429)
  listMergeTags(
    @CurrentUser() user: RequestUser,
    @Query() { emailListIds = [], counts }: MergeTagQuery,
  ): Promise<MergeTagDto[]> {
    const withCounts = counts === 'true' && emailListIds.length > 0;
    return limitSearches(user, () => this.menu.of(user, emailListIds, withCounts))({
      search: withCounts ? 'counts' : undefined,
    });
  }
}
