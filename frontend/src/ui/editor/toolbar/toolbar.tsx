import Box from '@mui/material/Box';
import { useEditorState, type Editor } from '@tiptap/react';
import { useState, type KeyboardEvent } from 'react';
import { modifierName } from '../../../lib/keyboard';
import type { WritingKind } from '../schema/extensions';
import type { TagOption } from '../tags/tag-labels';
import { ColorMenu } from './color-menu';
import {
  IconBold,
  IconBullets,
  IconButtonLink,
  IconColor,
  IconItalic,
  IconLink,
  IconNumbers,
  IconPicture,
  IconRedo,
  IconTable,
  IconTag,
  IconUnderline,
  IconUndo,
} from './icons';
import { TableMenu } from './table-menu';
import { TagMenu } from './tag-menu';
import { ToolButton } from './tool-button';

export interface ToolbarProps {
  id: string;
  editor: Editor;
  kind: WritingKind;
  tags: readonly TagOption[];
  onLink: () => void;
  onButton: () => void;
  /** If absent, pictures cannot be added here. */
  onPicture?: () => void;
}

type MenuName = 'color' | 'table' | 'tag';

const readState = ({ editor }: { editor: Editor }) => ({
  bold: editor.isActive('bold'),
  italic: editor.isActive('italic'),
  underline: editor.isActive('underline'),
  bullets: editor.isActive('bulletList'),
  numbers: editor.isActive('orderedList'),
  link: editor.isActive('link'),
  table: editor.isActive('table'),
  color: editor.isActive('color'),
  canUndo: editor.can().undo(),
  canRedo: editor.can().redo(),
});

/** The toolbar: one tab stop, arrow keys between buttons, Escape back to the text. */
export function Toolbar({ id, editor, kind, tags, onLink, onButton, onPicture }: ToolbarProps) {
  const is = useEditorState({ editor, selector: readState });
  const [stop, setStop] = useState(0);
  const [menu, setMenu] = useState<{ name: MenuName; anchor: HTMLElement } | null>(null);
  const mod = modifierName();
  const chain = () => editor.chain().focus();
  const open = (name: MenuName) => (anchor: HTMLElement) => setMenu({ name, anchor });
  const close = (backToText?: boolean) => {
    if (backToText) editor.commands.focus();
    else menu?.anchor.focus();
    setMenu(null);
  };
  const all = [
    { label: 'Bold', keys: `${mod}+B`, icon: IconBold, isOn: is.bold, run: () => void chain().toggleBold().run() },
    {
      label: 'Italic',
      keys: `${mod}+I`,
      icon: IconItalic,
      isOn: is.italic,
      run: () => void chain().toggleItalic().run(),
    },
    {
      label: 'Underline',
      keys: `${mod}+U`,
      icon: IconUnderline,
      isOn: is.underline,
      run: () => void chain().toggleUnderline().run(),
    },
    {
      label: 'Bullets',
      keys: `${mod}+Shift+8`,
      icon: IconBullets,
      isOn: is.bullets,
      run: () => void chain().toggleBulletList().run(),
    },
    {
      label: 'Numbers',
      keys: `${mod}+Shift+7`,
      icon: IconNumbers,
      isOn: is.numbers,
      run: () => void chain().toggleOrderedList().run(),
    },
    { label: 'Link', keys: `${mod}+K`, icon: IconLink, isOn: is.link, run: onLink },
    {
      label: 'Table',
      icon: IconTable,
      isOn: is.table,
      opens: is.table,
      run: is.table ? open('table') : () => void chain().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    },
    ...(onPicture ? [{ label: 'Picture', icon: IconPicture, run: onPicture }] : []),
    { label: 'Button', icon: IconButtonLink, run: onButton },
    { label: 'Colour', icon: IconColor, isOn: is.color, opens: true, run: open('color') },
    { label: 'Insert tag', icon: IconTag, opens: true, run: open('tag') },
    { label: 'Undo', keys: `${mod}+Z`, icon: IconUndo, isDisabled: !is.canUndo, run: () => void chain().undo().run() },
    {
      label: 'Redo',
      keys: `${mod}+Shift+Z`,
      icon: IconRedo,
      isDisabled: !is.canRedo,
      run: () => void chain().redo().run(),
    },
  ];
  const tools = kind === 'message' ? all : all.filter(({ label }) => !MESSAGE_TOOLS.has(label));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      editor.commands.focus();
      return event.preventDefault();
    }
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -stop, End: tools.length - 1 - stop }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (stop + step + tools.length) % tools.length;
    setStop(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    <>
      <Box
        id={id}
        role="toolbar"
        aria-label="Formatting"
        // The buttons handle the keys; the toolbar only moves the focus between them.
        tabIndex={-1}
        onKeyDown={onKeyDown}
        sx={{
          display: 'flex',
          gap: 0.25,
          p: 0.5,
          overflowX: 'auto',
          overscrollBehaviorX: 'contain',
          scrollbarWidth: 'none',
        }}
      >
        {tools.map((tool, index) => (
          <ToolButton
            key={tool.label}
            {...tool}
            isTabStop={index === stop}
            onFocus={() => setStop(index)}
            isOpen={menu !== null && menu.name === menuOf[tool.label]}
          />
        ))}
      </Box>
      {menu?.name === 'color' && <ColorMenu editor={editor} anchor={menu.anchor} onClose={close} />}
      {menu?.name === 'table' && <TableMenu editor={editor} anchor={menu.anchor} onClose={close} />}
      {menu?.name === 'tag' && (
        <TagMenu
          anchor={menu.anchor}
          tags={tags}
          onClose={close}
          onChoose={(attrs) => {
            close(true);
            editor.chain().focus().insertMergeTag(attrs).run();
          }}
        />
      )}
    </>
  );
}

const MESSAGE_TOOLS: ReadonlySet<string> = new Set(['Bullets', 'Numbers', 'Table', 'Insert tag']);

const menuOf: Record<string, MenuName> = { Colour: 'color', Table: 'table', 'Insert tag': 'tag' };
