export { AdminContacts } from './admin/admin-contacts.service.js';
export { AttestedImports, type AttestedBatch } from './admin/attested-imports.service.js';
export {
  AddSuppressionDto,
  AttestedBatchDto,
  AttestedBatchQuery,
  ConfirmContactDto,
  AdminContactDto,
  AdminContactQuery,
  AdminListDto,
  SuppressionDto,
  SuppressionQuery,
} from './admin/admin-contact.dto.js';
export { SuppressionList } from './admin/suppression-list.service.js';
export {
  Audience,
  type MailableContact,
  type Recheck,
  type RecheckedContact,
  type SendableList,
} from './audience.service.js';
export { AudiencePool, type PoolChoice } from './audience-pool.js';
export { ContactFields, type CustomField } from './contacts/contact-fields.service.js';
export { type ContactField } from './contacts/contact-field-sql.js';
export { ContactPersonalData, ContactPersonalDataModule } from './contacts/contact-personal-data.js';
export { EmailList } from './entities/email-list.entity.js';
export { listsEntities } from './entities/index.js';
export { RecipientPager, type RecipientStep, type PreviewRecipient } from './contacts/recipient-pager.service.js';
export { ContactIds, PROFILED_CONTACTS, profileOfContactSql } from './profiles/contact-ids.service.js';
export { ProfileBackfill } from './profiles/profile-backfill.service.js';
export { MailedContacts } from './imports/running/mailed-contacts.registry.js';
export { RecentImportDto } from './imports/direct/import.dto.js';
export { RecentImports } from './imports/direct/recent-imports.service.js';
export { ListsModule, ListsWorkerModule } from './lists.module.js';
export { Lists } from './lists.service.js';
export { ListActivity } from './my-lists/list-activity.service.js';
export { ListUses, type ListUseSource } from './my-lists/list-uses.registry.js';
export { AskOptOuts, INVITE_MAIL } from './outreach/ask-opt-outs.service.js';
export { AskRecords } from './outreach/ask-records.service.js';
export { ConfirmationMailLimit, TESTER_MAIL } from './opt-in/confirmation-mail-limit.js';
export { InvalidTokenLimiter } from './opt-in/invalid-token-limiter.service.js';
export { OutreachBudget, type OutreachSender } from './outreach/outreach-budget.service.js';
export { refusesUnrequestedMailSql } from './outreach/refusal-sql.js';
export { WORDING_VERSION } from './unsubscribe/consent-log.js';
export { TEST_UNSUBSCRIBE } from './unsubscribe/unsubscribe.service.js';
export { type BouncedAddress, Suppressions } from './unsubscribe/suppressions.service.js';
