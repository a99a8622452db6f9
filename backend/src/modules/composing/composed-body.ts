import { contentRequired, eitherContentOrDocument } from './composing.errors.js';
import type { DocumentJson } from './document/document.js';
import { documentOfText } from './document/document-of-text.js';
import { type ReadDocument, readDocument } from './document/read-document.js';

/** The body of a composition as a request gives it: plain text, a document, or neither yet. */
export interface GivenBody {
  content?: string | null;
  document?: unknown;
}

/** A body that was checked. */
export interface ComposedBody {
  content: string | null;
  document: ReadDocument | null;
}

/**
 * Checks the body of a composition that may be incomplete.
 * @throws 400 if both a content and a document are given, or the document is not valid
 */
export function readBody({ content, document }: GivenBody): ComposedBody {
  const isText = content !== undefined && content !== null;
  const isDocument = document !== undefined && document !== null;
  if (isText && isDocument) throw eitherContentOrDocument();
  return { content: isText ? content : null, document: isDocument ? readDocument(document) : null };
}

/**
 * The body as a document: a plain text becomes paragraphs.
 * @throws 400 if there is no body, or the text has more lines than a document may have nodes
 */
export function asDocument({ content, document }: { content: string | null; document: DocumentJson | null }) {
  if (document) return document;
  if (content === null || content.trim() === '') throw contentRequired();
  return readDocument(documentOfText(content)).json;
}
