import type { SendType } from '../../../shared/enums.js';
import type { ReadDocument } from '../document/read-document.js';

/** A message to check. */
export interface CheckedMessage {
  emailType: SendType;
  subject: string;
  preheader: string;
  /** Plain content; empty if the message has a document. */
  content: string;
  document: ReadDocument | null;
  /** Size of the HTML part in bytes; null if unknown. */
  htmlBytes: number | null;
}
