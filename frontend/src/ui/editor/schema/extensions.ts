import type { Extensions } from '@tiptap/core';
import Link from '@tiptap/extension-link';
import { ListItem, OrderedList } from '@tiptap/extension-list';
import TextAlign from '@tiptap/extension-text-align';
import StarterKit from '@tiptap/starter-kit';
import { normalizeHref } from '../href';
import { SanitizePaste, OfficeLists } from '../paste/paste-extension';
import type { PasteReport } from '../paste/paste-report';
import type { PictureAttrs } from '../pictures/picture-tools';
import { TagSuggestion, type SuggestionState } from '../tags/tag-suggestion';
import { Block } from './block';
import { ButtonNode, type ButtonAttrs } from './button';
import { Color } from './color';
import { FileLink, type FileLinkAttrs } from './file-link';
import { ImmediateFocus } from './focus';
import { EditorKeys, withoutTab } from './keys';
import { MergeTag, type TagAttrs } from './merge-tag';
import { Picture } from './picture';
import { tables } from './tables';

/** Kind of text: a whole message, or a signature, which has no lists, tables, merge tags or files. */
export type WritingKind = 'message' | 'signature';

/** Callbacks of the extensions. */
export interface EditorEvents {
  onEditTag: (pos: number, attrs: TagAttrs) => void;
  onEditFileLink: (pos: number, attrs: FileLinkAttrs) => void;
  onEditButton: (pos: number, attrs: ButtonAttrs) => void;
  onEditPicture: (pos: number, attrs: PictureAttrs) => void;
  onEditLink: () => void;
  onToolbar: () => void;
  onPasted: (report: PasteReport) => void;
  onSuggest: (state: SuggestionState | null) => void;
  pictureUrl: (fileId: string) => string;
}

/** The closed schema of a document, and its editing behaviour. What is not named here cannot occur in a mail. */
export const extensionsFor = (events: EditorEvents, kind: WritingKind = 'message'): Extensions => [
  StarterKit.configure({
    ...(kind === 'signature' && { bulletList: false, listKeymap: false }),
    code: false,
    codeBlock: false,
    link: false,
    listItem: false,
    orderedList: false,
    heading: { levels: [1, 2, 3] },
    trailingNode: { node: 'paragraph' },
  }),
  Link.extend({
    addAttributes: () => ({
      href: {
        default: null,
        parseHTML: (element: HTMLElement) => normalizeHref(element.getAttribute('href') ?? ''),
      },
    }),
    // A click on a link places the cursor; the dialog shows where the link leads.
  }).configure({
    openOnClick: false,
    defaultProtocol: 'https',
    protocols: ['https', 'http', 'mailto', 'tel'],
    isAllowedUri: (url) => normalizeHref(url) !== null,
    HTMLAttributes: { target: null, rel: null, class: null },
  }),
  TextAlign.configure({
    types: ['paragraph', 'heading'],
    alignments: ['left', 'center', 'right'],
    defaultAlignment: 'left',
  }),
  Color,
  ButtonNode.configure({ onEdit: events.onEditButton }),
  Picture.configure({ onEdit: events.onEditPicture, urlOf: events.pictureUrl }),
  SanitizePaste.configure({ onPasted: events.onPasted }),
  ...(kind === 'message' ? messageExtensions(events) : []),
  ImmediateFocus,
  EditorKeys.configure({ onToolbar: events.onToolbar, onLink: events.onEditLink }),
];

/** Extensions for whole messages only. */
const messageExtensions = (events: EditorEvents): Extensions => [
  OrderedList.extend({
    addAttributes: () => ({
      start: {
        default: 1,
        parseHTML: (element: HTMLElement) =>
          Math.max(1, Number.parseInt(element.getAttribute('start') ?? '1', 10) || 1),
      },
    }),
  }),
  ListItem.extend({ addKeyboardShortcuts: withoutTab }),
  ...tables,
  MergeTag.configure({ onEdit: events.onEditTag }),
  FileLink.configure({ onEdit: events.onEditFileLink }),
  Block,
  OfficeLists,
  TagSuggestion.configure({ onChange: events.onSuggest }),
];

/**
 * Typed or pasted text is taken literally, except for lists and merge tags: '*|FNAME|*' does not become italic, '# 1
 * vendor' no heading.
 */
export const textRules = {
  enableInputRules: ['mergeTag', 'bulletList', 'orderedList'],
  enablePasteRules: ['mergeTag'],
};
