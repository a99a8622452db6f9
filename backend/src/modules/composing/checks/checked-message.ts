import type { SendType } from '../../../shared/enums.js';
import type { ReadDocument } from '../document/read-document.js';

/** A message that is looked over. */
export interface CheckedMessage {
  emailType: SendType;
  subject: string;
  preheader: string;
  /** Plain content; empty with a document. */
  content: string;
  document: ReadDocument | null;
  /** Size of its HTML part; null: it is not known. */
  htmlBytes: number | null;
}
