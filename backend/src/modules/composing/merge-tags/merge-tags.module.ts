import { Module } from '@nestjs/common';
import { ListsModule } from '../../lists/index.js';
import { MergeTagMenu } from './merge-tag-menu.service.js';
import { MergeTagsController } from './merge-tags.controller.js';
import { MergeTags } from './merge-tags.service.js';

/** Merge tags: syntax, catalogue and checks. */
@Module({
  imports: [ListsModule],
  controllers: [MergeTagsController],
  providers: [MergeTagMenu, MergeTags],
  exports: [MergeTags],
})
export class MergeTagsModule {}
