import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { BulkActions } from './bulk/bulk-actions.service.js';
import { BulkController } from './bulk/bulk.controller.js';
import { BulkJobs } from './bulk/bulk-jobs.service.js';
import { BulkRunner } from './bulk/bulk-runner.js';
import { ColumnChoicesController } from './columns/column-choices.controller.js';
import { ColumnChoices } from './columns/column-choices.service.js';
import { CompanyTerms } from './companies/company-terms.service.js';
import { CompaniesController } from './companies/companies.controller.js';
import { Companies } from './companies/companies.service.js';
import { ContactsExport } from './contacts-export.service.js';
import { ContactsRetention } from './contacts-retention.js';
import { AudienceRules } from './do-not-send/audience-rules.service.js';
import { BulkRules } from './do-not-send/bulk-rules.service.js';
import { DoNotSendController } from './do-not-send/do-not-send.controller.js';
import { RuleEditor } from './do-not-send/rule-editor.service.js';
import { RuleReach } from './do-not-send/rule-reach.service.js';
import { RuleReader } from './do-not-send/rule-reader.service.js';
import { SenderRules } from './do-not-send/sender-rules.service.js';
import { ContactFieldsController } from './fields/contact-fields.controller.js';
import { Fields } from './fields/fields.service.js';
import { ImportedPeople } from './importing/imported-people.service.js';
import { LabelMapping } from './fields/label-mapping.service.js';
import { RecentActivities } from './activity/recent-activity.registry.js';
import { Memberships } from './profiles/memberships.registry.js';
import { ProfileBackfillProgress } from './profiles/profile-backfill-progress.service.js';
import { ProfileCountCompactor } from './profiles/profile-count-compactor.js';
import { ProfileEditor } from './profiles/profile-editor.service.js';
import { ProfileReader } from './profiles/profile-reader.service.js';
import { ProfilesController } from './profiles/profiles.controller.js';
import { FilterCompiler } from './segments/filter-compiler.service.js';
import { SegmentConditions } from './segments/segment-conditions.service.js';
import { SegmentCounts } from './segments/segment-counts.service.js';
import { SegmentExport } from './segments/segment-export.service.js';
import { SegmentTermList } from './segments/segment-term-list.service.js';
import { SegmentTerms } from './segments/segment-terms.registry.js';
import { SegmentUses } from './segments/segment-uses.registry.js';
import { SegmentsController } from './segments/segments.controller.js';
import { Segments } from './segments/segments.service.js';
import { ActivityTerms } from './segments/terms/activity-terms.js';
import { FieldTerms } from './segments/terms/field-terms.js';
import { ProfileTerms } from './segments/terms/profile-terms.js';
import { TagTerms } from './segments/terms/tag-terms.js';
import { Notes } from './timeline/notes.service.js';
import { TimelineController } from './timeline/timeline.controller.js';
import { Timeline } from './timeline/timeline.service.js';
import { EvidenceSources, TimelineSources } from './timeline/timeline.registry.js';
import { ContactTagsController } from './tags/contact-tags.controller.js';
import { Tags } from './tags/tags.service.js';

/**
 * Contacts: what an account knows of each address, with fields, tags, notes and a timeline; segments, companies and
 * do-not-send rules.
 */
@Module({
  imports: [AuthModule],
  controllers: [
    BulkController,
    ProfilesController,
    TimelineController,
    ColumnChoicesController,
    ContactFieldsController,
    ContactTagsController,
    SegmentsController,
    DoNotSendController,
    CompaniesController,
  ],
  providers: [
    AudienceRules,
    BulkActions,
    BulkJobs,
    ColumnChoices,
    BulkRules,
    Companies,
    CompanyTerms,
    ContactsExport,
    ContactsRetention,
    EvidenceSources,
    Fields,
    ImportedPeople,
    LabelMapping,
    Memberships,
    Notes,
    ProfileBackfillProgress,
    ProfileEditor,
    ProfileReader,
    RecentActivities,
    RuleEditor,
    RuleReach,
    RuleReader,
    SenderRules,
    Timeline,
    Tags,
    TimelineSources,
    // Segments
    ActivityTerms,
    FieldTerms,
    FilterCompiler,
    ProfileTerms,
    SegmentConditions,
    SegmentCounts,
    SegmentExport,
    Segments,
    SegmentTermList,
    SegmentTerms,
    SegmentUses,
    TagTerms,
  ],
  exports: [
    AudienceRules,
    BulkActions,
    BulkJobs,
    EvidenceSources,
    Fields,
    ImportedPeople,
    LabelMapping,
    Memberships,
    ProfileBackfillProgress,
    ProfileReader,
    RecentActivities,
    SegmentConditions,
    SegmentTerms,
    SegmentUses,
    SenderRules,
    TimelineSources,
  ],
})
export class ContactsModule {}

/** Runs bulk changes, and sums up the counts of profiles, in workers. */
@Module({ imports: [ContactsModule], providers: [BulkRunner, ProfileCountCompactor] })
export class ContactsWorkerModule {}
