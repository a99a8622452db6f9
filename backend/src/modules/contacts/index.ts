export { contactsEntities } from './entities/index.js';
export { addNotes, PERSON_COLUMNS, tagIdsOf, wouldChange } from './importing/imported-people.sql.js';
export { countImported, type ImportedProfiles, removeImported } from './importing/imported-profiles.js';
export { ImportedPeople } from './importing/imported-people.service.js';
export { keyOfLabel } from './fields/field-keys.js';
export { Fields } from './fields/fields.service.js';
export { placeOfField, placeOfLabel, profileValueSql } from './fields/profile-value-sql.js';
export { type LabelTargets, LabelMapping, type MappedValues, valuesOf } from './fields/label-mapping.service.js';
export { profileOfAddressSql, recordActivity } from './activity/activity-writer.js';
export {
  type Bound,
  RecentActivities,
  type RecentActivity,
  type RecentActivitySource,
} from './activity/recent-activity.registry.js';
export { BulkJobDto } from './bulk/bulk.dto.js';
export { BulkJobs } from './bulk/bulk-jobs.service.js';
export { type AudienceRule, AudienceRules, type CompanyCap } from './do-not-send/audience-rules.service.js';
export { readRuleValue } from './do-not-send/rule-value.js';
export { type RuleCheck, SenderRules } from './do-not-send/sender-rules.service.js';
export { ContactsModule, ContactsWorkerModule } from './contacts.module.js';
export { ProfileBackfillProgress } from './profiles/profile-backfill-progress.service.js';
export {
  type CopiedProfile,
  type MembershipOwner,
  type MembershipRefusal,
  Memberships,
  MembershipSource,
  type ProfileMembership,
} from './profiles/memberships.registry.js';
export { ProfileReader } from './profiles/profile-reader.service.js';
export { ProfilePersonalData, ProfilePersonalDataModule } from './profiles/profile-personal-data.js';
export {
  EvidenceSources,
  olderThan,
  type TimelineEntry,
  type TimelineSubject,
  type TimelineSource,
  TimelineSources,
} from './timeline/timeline.registry.js';
export { withinDays } from './segments/operators.js';
export { SegmentConditions } from './segments/segment-conditions.service.js';
export type { SegmentFilter } from './segments/segment-filter.js';
export {
  not,
  operator,
  type SegmentTerm,
  type SegmentTermSource,
  SegmentTerms,
  type TermContext,
  type TermOperator,
} from './segments/segment-terms.registry.js';
export { type SegmentUseSource, SegmentUses } from './segments/segment-uses.registry.js';
export { companyDomain } from './profiles/values/company-domain.js';
export { copiedNames, INCOMING_COLUMNS, type UpsertMode, upsertProfiles } from './profiles/profile-upsert.js';
export { lockProfile, setProfileNames, writeProfile } from './profiles/profile-writer.js';
export { CONTACT_LIMITS, PROFILE_LENGTHS } from './contacts.constants.js';
export { type FieldDefinition, type FieldValue, readFieldValue } from './fields/field-values.js';
export { FREE_MAIL_DOMAINS } from './profiles/values/free-mail-domains.js';
export { phoneE164 } from './profiles/values/phone-number.js';
