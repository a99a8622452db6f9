import { isTag } from '../../../shared/merge-tags/pieces.js';
import { documentInvalid } from '../composing.errors.js';
import { type ReadDocument, readDocument } from '../document/read-document.js';
import { isBlank } from '../document/render-document.js';
import { readTags } from '../merge-tags/tag-syntax.js';

const MAX_CHARACTERS = 2_000;
const MAX_PICTURES = 1;
/** Nodes that a signature must not contain, with their names in error messages. */
const REFUSED: Readonly<Record<string, string>> = {
  table: 'a table',
  bulletList: 'a list',
  orderedList: 'a list',
  mergeTag: 'a merge tag',
  block: 'a block',
  fileLink: 'a file',
};

/**
 * Reads a signature or closing line, which has a length limit and no merge tags.
 * @returns null if it is blank
 * @throws 400 `document_invalid`
 */
export function readClosingText(name: 'signature' | 'footer', given: unknown): ReadDocument | null {
  if (given === undefined || given === null) return null;
  const what = name === 'signature' ? 'the signature' : 'the closing line';
  const document = readDocument(given);
  let characters = 0;
  let pictures = 0;
  document.root.descendants((node) => {
    const refused = REFUSED[node.type.name];
    if (refused) throw documentInvalid(`${name}: ${what} cannot hold ${refused}`);
    if (node.type.name === 'image') pictures += 1;
    const texts = node.isText ? [node.text!] : [node.attrs['alt'], node.attrs['label']];
    for (const text of texts) if (typeof text === 'string') characters += text.length;
    if (node.isTextblock && hasTag(node.textContent)) throw documentInvalid(`${name}: ${what} cannot hold a merge tag`);
    if (typeof node.attrs['label'] === 'string' && hasTag(node.attrs['label']))
      throw documentInvalid(`${name}: ${what} cannot hold a merge tag`);
  });
  if (characters > MAX_CHARACTERS)
    throw documentInvalid(`${name}: ${what} has at most ${MAX_CHARACTERS.toLocaleString('en-US')} characters`);
  if (pictures > MAX_PICTURES) throw documentInvalid(`${name}: ${what} has at most one picture`);
  return isBlank(document) ? null : document;
}

const hasTag = (text: string): boolean => text.includes('{{') && readTags(text).some(isTag);
