import Box from '@mui/material/Box';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/** How far below the visible part content is rendered already. */
const MARGIN = '100px';

interface NearViewportProps {
  /** Shown in the place of the children until they are near; as high as they are. */
  placeholder: ReactNode;
  children: ReactNode;
}

/** Renders its children once they are scrolled near, and from then on: for content that costs much to load and draw and stands far down. */
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
      { rootMargin: MARGIN },
    );
    observer.observe(place.current);
    // A printed page has no part that is not scrolled to.
    window.addEventListener('beforeprint', show);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', show);
    };
  }, [isNear]);
  return isNear ? children : <Box ref={place}>{placeholder}</Box>;
}
