import Box from '@mui/material/Box';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/** Content this far below the visible part is rendered already. */
const PRELOAD_MARGIN = '100px';

interface NearViewportProps {
  /** Shown in place of the children until they are near the visible part; has the same height. */
  placeholder: ReactNode;
  children: ReactNode;
}

/**
 * Renders its children once they are scrolled near, and keeps them. For content far down the page that is costly to
 * load and draw.
 */
export function NearViewport({ placeholder, children }: NearViewportProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (isNear || !place.current) return undefined;
    const show = () => setNear(true);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) show();
      },
      { rootMargin: PRELOAD_MARGIN },
    );
    observer.observe(place.current);
    // Printing includes the whole page, so nothing may wait for scrolling.
    window.addEventListener('beforeprint', show);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', show);
    };
  }, [isNear]);
  return isNear ? children : <Box ref={place}>{placeholder}</Box>;
}
