import type { SendType } from '../../../shared/enums.js';
import type { ReadDocument } from '../document/read-document.js';

/** A message to check. */
export interface CheckedMessage {
  emailType: SendType;
  subject: string;
  preheader: string;
  /** Plain content; empty with a document. */
  content: string;
  document: ReadDocument | null;
  /** Size of its HTML part in bytes; null where it is unknown. */
  htmlBytes: number | null;
}
