import { useEffect } from 'react';

/** The product's name. */
export const PRODUCT_NAME = 'Staffcast';
/** The subtitle in the sidebar. */
export const PRODUCT_SUBTITLE = 'Email Distribution';

let screen = PRODUCT_NAME;
/** Progress of what runs, and the number of unread notifications, which stands first. */
const prefixes = { unread: '', tasks: '' };

const write = () => {
  document.title = prefixes.unread + prefixes.tasks + screen;
};

/** Sets the browser tab's title: 'Send History · Staffcast'. */
export function useDocumentTitle(title?: string): void {
  useEffect(() => {
    screen = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
    write();
  }, [title]);
}

/** Sets a prefix of the title that stays over navigation: '(42%) ', '(3) '. */
export function useTitlePrefix(of: keyof typeof prefixes, text: string): void {
  useEffect(() => {
    prefixes[of] = text;
    write();
    return () => {
      prefixes[of] = '';
      write();
    };
  }, [of, text]);
}
