import { storage } from './storage';

const EDITABLE_SELECTOR =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="combobox"]';
const OVERLAY_SELECTOR = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
const SINGLE_KEYS_SETTING = 'single_keys';

/** Whether the key event goes into a field. */
export const isTyping = ({ target, isComposing }: KeyboardEvent): boolean =>
  isComposing || (target instanceof Element && target.closest(EDITABLE_SELECTOR) !== null);

/** Whether a dialog or menu is open, which handles keys itself. */
export const isDialogOpen = (): boolean => document.querySelector(OVERLAY_SELECTOR) !== null;

/** Single-key shortcuts can be switched off, as speech input and unsteady hands press keys by mistake (WCAG 2.1.4). */
export const singleKeys = {
  areOn: (): boolean =>
    storage.read(SINGLE_KEYS_SETTING, (value) => (typeof value === 'boolean' ? value : null)) ?? true,
  set: (on: boolean): void => storage.write(SINGLE_KEYS_SETTING, on),
};

/** The name of the shortcut modifier on this platform. */
export const modifierName = (): string => (/Mac|iPod|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl');
