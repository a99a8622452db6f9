import { Company } from './company.entity.js';
import { ContactActivity } from './contact-activity.entity.js';
import { ContactBulkJob } from './contact-bulk-job.entity.js';
import { ColumnChoice } from './column-choice.entity.js';
import { ContactNote } from './contact-note.entity.js';
import { ContactPreparation } from './contact-preparation.entity.js';
import { ContactProfile } from './contact-profile.entity.js';
import { ContactTag } from './contact-tag.entity.js';
import { DoNotSendRule } from './do-not-send-rule.entity.js';
import { ProfileCount } from './profile-count.entity.js';
import { ProfileField } from './profile-field.entity.js';
import { Segment } from './segment.entity.js';

export const contactsEntities = [
  ContactProfile,
  ProfileCount,
  ProfileField,
  ContactTag,
  ContactNote,
  ContactActivity,
  ContactPreparation,
  ContactBulkJob,
  ColumnChoice,
  Segment,
  DoNotSendRule,
  Company,
];
