import { AskOptOut, OutreachAsk, OutreachDay, OutreachHour } from './outreach-ask.entity.js';
import { ConsentEvent } from './consent-event.entity.js';
import { ContactImportChunk, ContactImportReject, ContactImport, ImportUsage } from './contact-import.entity.js';
import {
  ContactImportDomain,
  ContactImportErasure,
  ContactImportRecords,
  ContactImportRow,
  ImportMapping,
  MailDomain,
} from './contact-import-staging.entity.js';
import { ContactBackfill, ContactFieldLabel } from './contact-field.entity.js';
import { ContactTrend } from './contact-trend.entity.js';
import { Contact, RemovedContact } from './contact.entity.js';
import { EmailList } from './email-list.entity.js';
import { LiftedSuppression, Suppression } from './suppression.entity.js';
import { RetiredUnsubscribeLink } from './retired-unsubscribe-link.entity.js';

export const listsEntities = [
  EmailList,
  Contact,
  RemovedContact,
  Suppression,
  LiftedSuppression,
  ConsentEvent,
  RetiredUnsubscribeLink,
  ContactImport,
  ContactImportChunk,
  ContactImportReject,
  ContactImportRecords,
  ContactImportRow,
  ContactImportDomain,
  ContactImportErasure,
  ImportMapping,
  MailDomain,
  ContactTrend,
  ContactFieldLabel,
  ContactBackfill,
  ImportUsage,
  OutreachDay,
  OutreachHour,
  OutreachAsk,
  AskOptOut,
];
