import { isTag, type Piece } from '../../../shared/merge-tags/pieces.js';
import { readTags } from '../merge-tags/tag-syntax.js';
import { DOCUMENT_VERSION, type DocumentJson, type NodeJson } from './document.js';

/** Control characters that a plain message may hold and a document may not. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * A plain message as a document. Blank lines separate paragraphs, other line ends become line breaks, and merge tags
 * become nodes.
 */
export function documentOfText(text: string): DocumentJson {
  const clean = text.replace(/\r\n?/g, '\n').replace(CONTROL, ' ').toWellFormed();
  const blocks: string[][] = [[]];
  for (const line of clean.split('\n')) {
    if (line.trim() !== '') blocks.at(-1)!.push(line);
    else if (blocks.at(-1)!.length > 0) blocks.push([]);
  }
  const content = blocks.filter((lines) => lines.length > 0).map(paragraph);
  return { type: 'doc', version: DOCUMENT_VERSION, content: content.length > 0 ? content : [paragraph([])] };
}

function paragraph(lines: readonly string[]): NodeJson {
  const content = lines.flatMap((line, n): NodeJson[] => [
    ...(n > 0 ? [{ type: 'hardBreak' }] : []),
    ...readTags(line).map(inlineOf),
  ]);
  return { type: 'paragraph', ...(content.length > 0 && { content }) };
}

function inlineOf(piece: Piece): NodeJson {
  if (!isTag(piece)) return { type: 'text', text: piece };
  return { type: 'mergeTag', attrs: { tag: piece.tag, fallback: piece.fallback } };
}
