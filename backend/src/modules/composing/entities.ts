import { Draft } from './drafts/draft.entity.js';
import { FileLink } from './files/links/file-link.entity.js';
import { SendAttachment } from './files/messages/send-attachment.entity.js';
import { SentPicture } from './pictures/sent-picture.entity.js';
import { StoredFile } from './files/stored-file.entity.js';
import { TakenDownFile } from './files/taken-down-file.entity.js';
import { SenderProfile } from './sender/sender-profile.entity.js';
import { Tester } from './testers/tester.entity.js';
import { Template } from './templates/template.entity.js';

export const composingEntities = [
  Draft,
  Template,
  StoredFile,
  TakenDownFile,
  FileLink,
  SendAttachment,
  SentPicture,
  SenderProfile,
  Tester,
];
