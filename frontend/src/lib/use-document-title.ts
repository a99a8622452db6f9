import { useEffect } from 'react';
import { PRODUCT_NAME } from './product';

/** 'Send History · Staffcast' in the browser's tab. */
export function useDocumentTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT_NAME}` : PRODUCT_NAME;
  }, [title]);
}
