import Box from '@mui/material/Box';
import { useState } from 'react';

/** A logo from the agency's own host: only the browser fetches it, without saying from where, and one that does not load is left out. */
export function AgencyLogo({ url }: { url: string }) {
  const [failed, setFailed] = useState(false);
  if (failed || !url.startsWith('https://')) return null;
  return (
    <Box
      component="img"
      src={url}
      alt=""
      referrerPolicy="no-referrer"
      decoding="async"
      onError={() => setFailed(true)}
      sx={{ display: 'block', height: 44, maxWidth: 180, objectFit: 'contain', flexShrink: 0, borderRadius: 1 }}
    />
  );
}
