import type { Node } from 'prosemirror-model';
import { asTyped, isTag, type TagPiece } from '../../../shared/merge-tags/pieces.js';
import { documentInvalid } from '../composing.errors.js';
import { readTags } from '../merge-tags/tag-syntax.js';
import type { ReadDocument } from './read-document.js';

/** Attributes that contain text, in which merge tags are not filled in. */
const ATTRIBUTES = [
  ['image', 'alt', "a picture's description"],
  ['button', 'label', "a button's label"],
  ['fileLink', 'label', "the text of a file's link"],
] as const;

/**
 * Refuses a document with a merge tag that was typed in a text in which tags are not filled in, because recipients
 * would read the tag's braces. A typed tag is filled in only within one text node.
 * @throws 400 `document_invalid`
 */
export function refuseLiteralTags({ root }: ReadDocument): void {
  root.descendants((node) => {
    for (const [type, name, what] of ATTRIBUTES) {
      if (node.type.name !== type) continue;
      const tag = tagsIn(node.attrs[name] as string)[0];
      if (tag) throw documentInvalid(`document: ${what} cannot hold a merge tag: take ${asTyped(tag)} out of it`);
    }
    if (node.isTextblock || node.inlineContent) refuseSplitTags(node);
    return true;
  });
}

/**
 * Refuses a tag whose characters have different formats: such a tag spans several text nodes, so that no node holds the
 * whole tag.
 */
function refuseSplitTags(parent: Node): void {
  let run: string[] = [];
  const endRun = (): void => {
    if (run.length > 1) {
      const split = firstMore(run.flatMap(tagsIn).map(asTyped), tagsIn(run.join('')).map(asTyped));
      if (split !== undefined)
        throw documentInvalid(`document: ${split} is written in two formats: give it one, or insert it as a tag`);
    }
    run = [];
  };
  parent.forEach((child) => {
    if (child.isText) run.push(child.text!);
    else endRun();
  });
  endRun();
}

/**
 * Finds the first text that occurs more often in `whole` than in `parts`.
 * @returns undefined if there is none
 */
function firstMore(parts: readonly string[], whole: readonly string[]): string | undefined {
  const left = new Map<string, number>();
  for (const part of parts) left.set(part, (left.get(part) ?? 0) + 1);
  return whole.find((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count < 1;
  });
}

const tagsIn = (text: string): TagPiece[] => (text.includes('{') ? readTags(text).filter(isTag) : []);
