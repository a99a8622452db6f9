import { useEffect } from 'react';
import { PRODUCT_NAME } from './product';

let screen = PRODUCT_NAME;
let prefix = '';

const write = () => {
  document.title = prefix + screen;
};

/** 'Send History · Staffcast' in the browser's tab. */
export function useDocumentTitle(title?: string): void {
  useEffect(() => {
    screen = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
    write();
  }, [title]);
}

/** Stands before the title of whatever screen is open: '(42%) '. */
export function useTitlePrefix(text: string): void {
  useEffect(() => {
    prefix = text;
    write();
    return () => {
      prefix = '';
      write();
    };
  }, [text]);
}
