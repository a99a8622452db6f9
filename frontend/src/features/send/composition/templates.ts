import { builtInTemplates, type Template } from '../../../ui/editor/built-in-templates';
import { documentText, isEmptyDocument } from '../../../ui/editor/document';
import type { Composition } from '../draft';

export type { Template };

/** The plain text of a message, from its document if it has one. */
export const bodyText = ({ document, content }: Pick<Composition, 'document' | 'content'>) =>
  document ? documentText(document) : content;

const isTemplate = (text: string) =>
  Object.values(builtInTemplates).some((group) => group.some(({ document }) => documentText(document) === text.trim()));

/** Whether applying a template would overwrite text that the user typed. */
export const hasTypedText = (body: Pick<Composition, 'document' | 'content'>) =>
  (body.document ? !isEmptyDocument(body.document) : body.content.trim() !== '') && !isTemplate(bodyText(body));

/** A template's body in the format of the message: as a document or as plain text. */
export const bodyOfTemplate = ({ document }: Pick<Template, 'document'>, isPlain: boolean) =>
  isPlain ? { content: documentText(document), document: null } : { content: '', document };

/** A template's choice of the sender's logo and signature, if it has one. */
export const senderPartsOf = ({ brand, signature }: Pick<Template, 'brand' | 'signature'>) => ({
  ...(typeof brand === 'boolean' && { brand }),
  ...(typeof signature === 'boolean' && { signature }),
});

/** The placeholders ('[rate]') that are still in a text, without duplicates. */
export const blanksIn = (text: string): string[] => [...new Set(text.match(/\[[^[\]\n]{1,80}\]/g) ?? [])];
