export type { SqlPart } from './suppression-sql.js';
export { Audience, type AudiencePreview, type MailableContact, type Recheck, type RecheckedContact, type SendableList } from './audience.service.js';
export { EmailList } from './entities/email-list.entity.js';
export { listsEntities } from './entities/index.js';
export { type AudienceDay, type ListEvent, ListActivity } from './list-activity.service.js';
export { ListsModule, ListsWorkerModule } from './lists.module.js';
export { Lists, type ListTotals } from './lists.service.js';
export { type BouncedAddress, type NewSuppression, Suppressions } from './suppressions.service.js';
export {
  AddSuppressionDto, AttestedBatchDto, AttestedBatchQuery, ConfirmContactDto, OverseenContactDto, OverseenContactQuery, OverseenListDto, SuppressionDto, SuppressionQuery,
} from './dto/oversight.dto.js';
export { type AttestationDecision, AttestedImports, type OverseenBatch } from './oversight/attested-imports.service.js';
export { ContactOversight } from './oversight/contact-oversight.service.js';
export { SuppressionList } from './oversight/suppression-list.service.js';
export { ContactRecords, ContactRecordsModule } from './contact-records.js';
export { AskOptOuts } from './outreach/ask-opt-outs.service.js';
export { AskRecords } from './outreach/ask-records.service.js';
export { INVITE_MAIL } from './outreach/mail-kinds.js';
export { OutreachBudget, type OutreachSender } from './outreach/outreach-budget.service.js';
