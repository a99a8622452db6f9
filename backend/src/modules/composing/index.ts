export { AudienceChoiceDto, audienceOf, type DraftAudience } from './audience-choice.dto.js';
export type { DraftOptions } from './drafts/draft.entity.js';
export { type ComposedBody, readBody } from './composed-body.js';
export { contentRequired, draftScheduled, draftSent, unknownDraft, verifyFirst } from './composing.errors.js';
export { ComposingModule, ComposingWorkerModule } from './composing.module.js';
export { DocumentDto } from './document/document.dto.js';
export type { DocumentJson } from './document/document.js';
export { documentOfText } from './document/document-of-text.js';
export { type ReadDocument, readDocument } from './document/read-document.js';
export { hrefsOf, isBlank, pictureIdsIn, renderDocument } from './document/render-document.js';
export { refuseLiteralTags } from './document/literal-tags.js';
export { DraftPersonalData, DraftPersonalDataModule } from './draft-personal-data.js';
export { Drafts } from './drafts/drafts.service.js';
export {
  type ChosenFile,
  ChosenFileDto,
  chosenFilesOf,
  MAX_FILES_OF_MESSAGE,
} from './files/messages/chosen-files.dto.js';
export { SentFileDto } from './files/messages/sent-file.dto.js';
export { type StoredAttachment, AttachmentStore } from './files/messages/attachment-store.service.js';
export { ReportedFileDto } from './files/reported-file.dto.js';
export { ReportedFiles } from './files/reported-files.service.js';
export { filesBlock } from './files/messages/files-block.js';
export { linkedFileIds, withFileLinks } from './files/messages/linked-files.js';
export { attachedBytes, type PreparedFile, MessageFiles } from './files/messages/message-files.service.js';
export { composingEntities } from './entities.js';
export { excludesAddress, withoutExcludedAddress } from './excluded-addresses.js';
export { tagInLink } from './merge-tags/merge-tag.errors.js';
export { MergeTags } from './merge-tags/merge-tags.service.js';
export { readTags } from './merge-tags/tag-syntax.js';
export { Pictures } from './pictures/pictures.service.js';
export { canonicalJob, type Job } from './requirements/job.js';
export { JobDto } from './requirements/job.dto.js';
export { type SenderChoice, type SenderLook, SenderLooks } from './sender/sender-look.service.js';
export { PROFILE_BODY } from './sender/sender-profile.controller.js';
export { SaveSenderProfileDto } from './sender/sender-profile.dto.js';
export { SenderProfiles } from './sender/sender-profiles.service.js';
export { PlannedUses, type PlannedUseSource } from './planned-uses.registry.js';
export { type Composition, SentCompositions } from './sent-compositions.js';
export { TesterPersonalData, TesterPersonalDataModule } from './testers/tester-personal-data.js';
export { Testers } from './testers/testers.service.js';
export type { CheckedMessage } from './checks/checked-message.js';
export { bodyOf, checkMessage, webHostsOf } from './checks/message-checks.js';
export { plainText } from './checks/document-text.js';
export {
  CHECK_FIXES,
  CHECK_LEVELS,
  CHECK_PARTS,
  type CheckFix,
  type CheckItem,
  type CheckLevel,
  type CheckPart,
} from './checks/check-item.js';
