/** Icons of the toolbar; they are in the editor's chunk. */
export { default as IconBold } from 'lucide-react/icons/bold';
export { default as IconBullets } from 'lucide-react/icons/list';
export { default as IconButtonLink } from 'lucide-react/icons/mouse-pointer-click';
export { default as IconColor } from 'lucide-react/icons/baseline';
export { default as IconItalic } from 'lucide-react/icons/italic';
export { default as IconLink } from 'lucide-react/icons/link';
export { default as IconNumbers } from 'lucide-react/icons/list-ordered';
export { default as IconPicture } from 'lucide-react/icons/image';
export { default as IconRedo } from 'lucide-react/icons/redo-2';
export { default as IconTable } from 'lucide-react/icons/table';
export { default as IconTag } from 'lucide-react/icons/braces';
export { default as IconUnderline } from 'lucide-react/icons/underline';
export { default as IconUndo } from 'lucide-react/icons/undo-2';
