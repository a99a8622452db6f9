import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import { EditorContent, useEditor, type Editor } from '@tiptap/react';
import { memo, useEffect, useEffectEvent, useId, useRef, useState, type Ref } from 'react';
import { useNarrow } from '../page/page';
import { VisuallyHidden } from '../visually-hidden';
import type { RichDocument } from './document';
import { useEditorHandle, type EditorHandle } from './editor-handle';
import { EditorPanels, type Panel } from './editor-panels';
import { editorStyles } from './editor-styles';
import type { PasteReport } from './paste/paste-report';
import { PictureOffer } from './pictures/picture-offer';
import { PictureUrls, type PictureAttrs, type PictureTools } from './pictures/picture-tools';
import { addPictures, useLoadedPictures } from './pictures/use-pictures';
import { pasteWithoutFormatting, replaceWithTag } from './replace';
import type { FileLinkAttrs } from './schema/file-link';
import { extensionsFor, textRules, type WritingKind } from './schema/extensions';
import type { TagOption } from './tags/tag-labels';
import type { SuggestionState } from './tags/tag-suggestion';
import { PasteNotes } from './toolbar/paste-notes';
import { SuggestionPopup } from './toolbar/suggestion-popup';
import { Toolbar } from './toolbar/toolbar';
import { useKeyboardInset } from './use-keyboard-inset';
import { useReports } from './use-reports';
import { useSelectedPlace, type TextPlace } from './text-place';
import { toEditor } from './document-mapping';

export interface RichTextProps {
  label: string;
  document: RichDocument;
  /**
   * Increases when the document was replaced from outside (by a template or another version), so that the editor loads
   * it.
   */
  revision: number;
  onChange: (document: RichDocument) => void;
  /** Called when the focus leaves the field. */
  onLeave?: () => void;
  tags: readonly TagOption[];
  /** The kind of text; a whole message if absent. */
  kind?: WritingKind;
  /** If absent, pictures cannot be added here. */
  pictures?: PictureTools;
  error?: string;
  hint?: string;
  /** Lets the screen around the field change the text. */
  handle?: Ref<EditorHandle>;
  /** The range to select when the field is opened. */
  place?: TextPlace | null;
}

/** Props that the field renders, besides the document, which the editor keeps itself. */
const RENDERED_PROPS = [
  'label',
  'revision',
  'tags',
  'pictures',
  'error',
  'hint',
] as const satisfies (keyof RichTextProps)[];

/**
 * Edits a rich document. RichTextField loads the editor when the field is first shown. The editor is memoised on
 * RENDERED_PROPS, so that typing does not render it again. Handlers are not compared, so the editor keeps those of its
 * last render.
 */
export default memo(RichTextEditor, (before, after) => RENDERED_PROPS.every((name) => before[name] === after[name]));

function RichTextEditor(props: RichTextProps) {
  const { label, document, revision, tags, error, hint, pictures, kind = 'message' } = props;
  const id = useId();
  const [panel, setPanel] = useState<Panel | null>(null);
  const [pasted, setPasted] = useState<PasteReport | null>(null);
  const [suggestion, setSuggestion] = useState<SuggestionState | null>(null);
  const [urls] = useState(() => new PictureUrls());
  const toolbarId = `${id}-toolbar`;
  const editor = useEditor(
    {
      extensions: extensionsFor(
        {
          onEditTag: (pos, attrs) => setPanel({ what: 'fallback', pos, ...attrs }),
          onEditFileLink: (pos, attrs) => setPanel({ what: 'file', pos, ...attrs }),
          onEditButton: (pos, attrs) => setPanel({ what: 'button', pos, ...attrs }),
          onEditPicture: (pos, picture) => setPanel({ what: 'picture', pos, picture }),
          onEditLink: () => setPanel({ what: 'link' }),
          onToolbar: () =>
            window.document.getElementById(toolbarId)?.querySelector<HTMLElement>('button[tabindex="0"]')?.focus(),
          onPasted: setPasted,
          onSuggest: setSuggestion,
          pictureUrl: urls.of,
        },
        kind,
      ),
      content: toEditor(document),
      ...textRules,
      editorProps: {
        attributes: {
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-labelledby': `${id}-label`,
          'aria-describedby': `${id}-keys ${id}-help`,
          'aria-required': String(kind === 'message'),
        },
        handleClickOn: (_view, _pos, node, nodePos) => {
          if (node.type.name === 'mergeTag')
            setPanel({
              what: 'fallback',
              pos: nodePos,
              tag: String(node.attrs.tag),
              fallback: node.attrs.fallback as string | null,
            });
          if (node.type.name === 'fileLink') setPanel({ what: 'file', pos: nodePos, ...(node.attrs as FileLinkAttrs) });
          return false;
        },
        handleDoubleClickOn: (_view, _pos, node, nodePos) => {
          if (node.type.name === 'image')
            setPanel({ what: 'picture', pos: nodePos, picture: node.attrs as PictureAttrs });
          if (node.type.name !== 'button') return node.type.name === 'image';
          setPanel({ what: 'button', pos: nodePos, label: String(node.attrs.label), href: String(node.attrs.href) });
          return true;
        },
      },
      shouldRerenderOnTransaction: false,
    },
    [],
  );
  const report = useReports(editor, props);
  useEditorHandle(editor, report, props.handle);
  useReplacement(editor, document, revision);
  useSelectedPlace(editor, props.place ?? null, (pos, attrs) => setPanel({ what: 'fallback', pos, ...attrs }));
  useLoadedPictures(editor, urls, pictures);
  const isNarrow = useNarrow();
  const inset = useKeyboardInset();
  const isOverKeyboard = isNarrow && inset > 0;
  return (
    <Box>
      <InputLabel id={`${id}-label`} error={Boolean(error)} onClick={() => editor.commands.focus()}>
        {label}
      </InputLabel>
      <Box
        sx={[
          {
            border: 1,
            borderColor: error ? 'error.main' : 'controlBorder',
            borderRadius: 2,
            bgcolor: 'surface.base',
            minWidth: 0,
            '&:has(.tiptap:focus)': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: -1 },
          },
          editorStyles,
          kind === 'signature' && { '& .tiptap': { minHeight: '8rem' } },
        ]}
      >
        <Box
          sx={{
            borderBottom: 1,
            borderColor: 'divider',
            bgcolor: 'surface.panel',
            borderRadius: '8px 8px 0 0',
            position: 'sticky',
            top: 56,
            zIndex: 2,
            ...(isOverKeyboard && {
              position: 'fixed',
              left: 0,
              right: 0,
              top: 'auto',
              bottom: inset,
              zIndex: 'appBar',
              borderTop: 1,
              borderRadius: 0,
            }),
          }}
        >
          <Toolbar
            id={toolbarId}
            editor={editor}
            kind={kind}
            tags={tags}
            onLink={() => setPanel({ what: 'link' })}
            onPicture={pictures && (() => setPanel({ what: 'picture', pos: null, picture: null }))}
            onButton={() => setPanel({ what: 'button', pos: null, label: '', href: '' })}
          />
        </Box>
        <Box
          // A key that the editor handles must not reach the page, where Ctrl+B toggles the sidebar and Ctrl+K opens
          // the search.
          onKeyDown={(event) => {
            if (event.nativeEvent.defaultPrevented) event.stopPropagation();
          }}
        >
          <EditorContent editor={editor} />
        </Box>
      </Box>
      <VisuallyHidden id={`${id}-keys`}>Press Alt F10 for the toolbar</VisuallyHidden>
      <FormHelperText id={`${id}-help`} error={Boolean(error)}>
        {error ?? hint ?? ' '}
      </FormHelperText>
      <Box aria-live="polite">
        {pasted && pictures && pasted.offered.length > 0 && (
          <PictureOffer
            count={pasted.offered.length}
            onAdd={async () => {
              await addPictures(editor, urls, pictures, pasted.offered);
              setPasted({ ...pasted, offered: [] });
            }}
            onLeave={() => setPasted(withoutPictures(pasted))}
          />
        )}
        {pasted && (
          <PasteNotes
            report={pictures ? pasted : withoutPictures(pasted)}
            onWithoutFormatting={() => {
              pasteWithoutFormatting(editor, pasted.text);
              setPasted(null);
            }}
            onUseTag={(written, tag) => {
              replaceWithTag(editor, written, tag);
              setPasted(without(pasted, written));
            }}
            onLeave={(written) => setPasted(without(pasted, written))}
          />
        )}
      </Box>
      {suggestion && <SuggestionPopup state={suggestion} tags={tags} field={editor.view.dom} />}
      {panel && (
        <EditorPanels editor={editor} panel={panel} pictures={pictures} urls={urls} onClose={() => setPanel(null)} />
      )}
    </Box>
  );
}

/** Counts the offered pictures as left out, because the user declined them. */
const withoutPictures = (report: PasteReport): PasteReport => ({
  ...report,
  offered: [],
  pictures: report.pictures + report.offered.length,
});

const without = (report: PasteReport, written: string): PasteReport => ({
  ...report,
  foreignTags: report.foreignTags.filter((one) => one.written !== written),
});

/** Loads a document that was replaced from outside. Undo reverts this. */
function useReplacement(editor: Editor, document: RichDocument, revision: number): void {
  const seen = useRef(revision);
  const replace = useEffectEvent(() => void editor.commands.setContent(toEditor(document), { emitUpdate: false }));
  useEffect(() => {
    if (seen.current === revision) return;
    seen.current = revision;
    replace();
  }, [revision]);
}
