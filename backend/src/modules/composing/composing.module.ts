import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { HistoryModule } from '../history/index.js';
import { ListsModule } from '../lists/index.js';
import { ComposingExport } from './composing-export.service.js';
import { ComposingRetention } from './composing-retention.js';
import { DraftCopies } from './drafts/draft-copies.service.js';
import { DraftLibrary } from './drafts/draft-library.service.js';
import { DraftsController } from './drafts/drafts.controller.js';
import { Drafts } from './drafts/drafts.service.js';
import { AttachmentStore } from './files/messages/attachment-store.service.js';
import { FileReplacement } from './files/file-replacement.service.js';
import { StoredFiles } from './files/stored-files.service.js';
import { FileLibrary } from './files/file-library.service.js';
import { FileLinksController } from './files/links/file-links.controller.js';
import { SharedFilesController } from './files/links/shared-files.controller.js';
import { FileLinks } from './files/links/file-links.service.js';
import { FileScanWorker } from './files/scans/file-scan-worker.js';
import { FileScans } from './files/scans/file-scans.service.js';
import { FilesController } from './files/files.controller.js';
import { FileSweep } from './files/file-sweep.service.js';
import { FileUses } from './files/file-uses.service.js';
import { MessageFiles } from './files/messages/message-files.service.js';
import { ReportedFiles } from './files/reported-files.service.js';
import { VirusScanner } from './files/scans/virus-scanner.js';
import { MergeTagsModule } from './merge-tags/merge-tags.module.js';
import { PictureStore } from './pictures/picture-store.service.js';
import { PicturesController } from './pictures/pictures.controller.js';
import { Pictures } from './pictures/pictures.service.js';
import { PlannedUses } from './planned-uses.registry.js';
import { RequirementsController } from './requirements/requirements.controller.js';
import { SenderLooks } from './sender/sender-look.service.js';
import { SenderProfileController } from './sender/sender-profile.controller.js';
import { SenderProfiles } from './sender/sender-profiles.service.js';
import { SentCompositions } from './sent-compositions.js';
import { TemplateStore } from './templates/template-store.service.js';
import { TemplatesController } from './templates/templates.controller.js';
import { TesterWithdrawal } from './testers/tester-withdrawal.js';
import { TestersController } from './testers/testers.controller.js';
import { Testers } from './testers/testers.service.js';
import { TemplateSources } from './templates/template-sources.service.js';

/**
 * Everything about messages before they are sent: documents, merge tags, drafts, templates, pictures and files, sender
 * profiles, testers, and jobs read from requirements.
 */
@Module({
  imports: [AuthModule, ListsModule, HistoryModule, MergeTagsModule],
  controllers: [
    DraftsController,
    SharedFilesController,
    FilesController,
    FileLinksController,
    PicturesController,
    RequirementsController,
    SenderProfileController,
    TemplatesController,
    TestersController,
  ],
  providers: [
    AttachmentStore,
    ComposingExport,
    ComposingRetention,
    DraftCopies,
    DraftLibrary,
    Drafts,
    FileReplacement,
    StoredFiles,
    FileLibrary,
    FileLinks,
    FileScans,
    FileSweep,
    FileUses,
    MessageFiles,
    Pictures,
    PictureStore,
    PlannedUses,
    ReportedFiles,
    SenderLooks,
    SenderProfiles,
    SentCompositions,
    TemplateStore,
    TemplateSources,
    Testers,
    TesterWithdrawal,
    VirusScanner,
  ],
  exports: [
    AttachmentStore,
    Drafts,
    FileScans,
    MergeTagsModule,
    MessageFiles,
    Pictures,
    PlannedUses,
    ReportedFiles,
    SenderLooks,
    SenderProfiles,
    SentCompositions,
    Testers,
  ],
})
export class ComposingModule {}

/** Scans uploaded files in worker processes. */
@Module({ imports: [ComposingModule], providers: [FileScanWorker] })
export class ComposingWorkerModule {}
