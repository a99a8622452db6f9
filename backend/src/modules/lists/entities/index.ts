import { AskOptOut } from './ask-opt-out.entity.js';
import { ConsentEvent } from './consent-event.entity.js';
import { ContactImportChunk } from './contact-import-chunk.entity.js';
import { ContactImportReject } from './contact-import-reject.entity.js';
import { ContactImport } from './contact-import.entity.js';
import { ContactTrend } from './contact-trend.entity.js';
import { Contact } from './contact.entity.js';
import { EmailList } from './email-list.entity.js';
import { ImportUsage } from './import-usage.entity.js';
import { LiftedSuppression } from './lifted-suppression.entity.js';
import { OutreachAsk } from './outreach-ask.entity.js';
import { OutreachDay } from './outreach-day.entity.js';
import { OutreachHour } from './outreach-hour.entity.js';
import { RetiredUnsubscribeLink } from './retired-unsubscribe-link.entity.js';
import { Suppression } from './suppression.entity.js';

/** The tables this module owns. */
export const listsEntities = [
  EmailList, Contact, Suppression, LiftedSuppression, ConsentEvent, RetiredUnsubscribeLink, ContactImport, ContactImportChunk, ContactImportReject,
  ContactTrend, ImportUsage, OutreachDay, OutreachHour, OutreachAsk, AskOptOut,
];
