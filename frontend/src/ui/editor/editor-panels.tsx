import type { Editor } from '@tiptap/react';
import { PictureDialog } from './pictures/picture-dialog';
import type { PictureAttrs, PictureTools, PictureUrls } from './pictures/picture-tools';
import type { ButtonAttrs } from './schema/button';
import type { FileLinkAttrs } from './schema/file-link';
import type { TagAttrs } from './schema/merge-tag';
import { FallbackPopover } from './toolbar/fallback-popover';
import { FileLinkPopover } from './toolbar/file-link-popover';
import { LinkDialog } from './toolbar/link-dialog';

/** What is open above the text. */
export type Panel =
  | { what: 'link' }
  | ({ what: 'fallback'; pos: number } & TagAttrs)
  | ({ what: 'file'; pos: number } & FileLinkAttrs)
  | ({ what: 'button'; pos: number | null } & ButtonAttrs)
  | { what: 'picture'; pos: number | null; picture: PictureAttrs | null };

interface EditorPanelsProps {
  editor: Editor;
  panel: Panel;
  pictures?: PictureTools;
  urls: PictureUrls;
  onClose: () => void;
}

/** The dialogs of links, buttons, pictures, files and fallbacks; each gives the focus back to the text. */
export function EditorPanels({ editor, panel, pictures, urls, onClose }: EditorPanelsProps) {
  const close = () => {
    onClose();
    editor.commands.focus();
  };
  if (panel.what === 'link') return <LinkPanel editor={editor} onClose={close} />;
  const { pos } = panel;
  const setAttrs = (attrs: Record<string, unknown>) =>
    editor.view.dispatch(editor.state.tr.setNodeMarkup(pos ?? 0, undefined, attrs));
  if (panel.what === 'fallback') {
    const chip = editor.view.nodeDOM(panel.pos);
    return (
      <FallbackPopover
        tag={panel.tag}
        fallback={panel.fallback}
        anchor={chip instanceof Element ? chip : editor.view.dom}
        onApply={(fallback) => {
          setAttrs({ tag: panel.tag, fallback });
          close();
        }}
        onClose={close}
      />
    );
  }
  if (panel.what === 'file') {
    const chip = editor.view.nodeDOM(panel.pos);
    return (
      <FileLinkPopover
        label={panel.label}
        anchor={chip instanceof Element ? chip : editor.view.dom}
        onApply={(label) => {
          setAttrs({ fileId: panel.fileId, label });
          close();
        }}
        onRemove={() => {
          editor.view.dispatch(editor.state.tr.delete(panel.pos, panel.pos + 1));
          close();
        }}
        onClose={close}
      />
    );
  }
  const put = (type: 'button' | 'image', attrs: Record<string, unknown>) => {
    if (pos === null) editor.chain().focus().insertContent({ type, attrs }).run();
    else setAttrs(attrs);
    close();
  };
  if (panel.what === 'picture')
    return (
      pictures && (
        <PictureDialog
          picture={panel.picture}
          upload={pictures.upload}
          onUploaded={(picture) => urls.add(picture)}
          onApply={(attrs) => put('image', { ...attrs })}
          onClose={close}
        />
      )
    );
  return (
    <LinkDialog
      title="Button"
      textLabel="Label"
      text={panel.label}
      href={panel.href}
      needsText
      onApply={({ text, href }) => put('button', { label: text, href })}
      onClose={close}
    />
  );
}

/** The link at the cursor, or one for the selected words. */
function LinkPanel({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const hasLink = editor.isActive('link');
  if (hasLink) editor.commands.extendMarkRange('link');
  const { from, to } = editor.state.selection;
  const text = editor.state.doc.textBetween(from, to, ' ');
  const apply = (link: { text: string; href: string }) => {
    const words = link.text || link.href.replace(/^(?:mailto:|tel:|https?:\/\/)/, '');
    const mark = { type: 'link', attrs: { href: link.href } };
    const chain = editor.chain().focus().setTextSelection({ from, to });
    // Words that stay as they were keep their other formatting.
    if (words === text) chain.setMark('link', { href: link.href }).run();
    else chain.insertContent({ type: 'text', text: words, marks: [mark] }).run();
    // What is typed on is not part of the link.
    editor.chain().setTextSelection(editor.state.selection.to).unsetMark('link').run();
    onClose();
  };
  return (
    <LinkDialog
      title="Link"
      textLabel="Text"
      text={text}
      href={hasLink ? String(editor.getAttributes('link').href ?? '') : ''}
      onApply={apply}
      onRemove={
        hasLink
          ? () => {
              editor.chain().focus().setTextSelection({ from, to }).unsetMark('link').run();
              onClose();
            }
          : undefined
      }
      onClose={onClose}
    />
  );
}
