import { useEffect } from 'react';

/** The product's name. */
export const PRODUCT_NAME = 'Staffcast';
/** The subtitle in the sidebar. */
export const PRODUCT_SUBTITLE = 'Email Distribution';

let screenTitle = PRODUCT_NAME;
/** Prefixes of the tab's title: number of unread notifications first, then progress of running tasks. */
const prefixes = { unread: '', tasks: '' };

const writeTitle = () => {
  document.title = prefixes.unread + prefixes.tasks + screenTitle;
};

/** Sets the browser tab's title: 'Send History · Staffcast'. */
export function useDocumentTitle(title?: string): void {
  useEffect(() => {
    screenTitle = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
    writeTitle();
  }, [title]);
}

/** Sets a prefix of the tab's title that stays when another screen is opened: '(42%) ', '(3) '. */
export function useTitlePrefix(of: keyof typeof prefixes, text: string): void {
  useEffect(() => {
    prefixes[of] = text;
    writeTitle();
    return () => {
      prefixes[of] = '';
      writeTitle();
    };
  }, [of, text]);
}
