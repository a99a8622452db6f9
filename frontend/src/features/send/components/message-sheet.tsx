import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { fullName } from '../../../lib/format';
import { PRODUCT_NAME } from '../../../lib/product';
import { useCurrentUser, type SendPreview } from '../api';

type View = 'message' | 'mailed';

/** The message on its sheet: as written, or whole, with the footer the recipient sees. */
export function MessageSheet({ subject, content, preview }: { subject: string; content: string; preview?: SendPreview }) {
  const user = useCurrentUser();
  const [view, setView] = useState<View>('message');
  const id = useId();
  return (
    <Box sx={{ border: 1, borderColor: 'surface.line', borderRadius: 3, overflow: 'hidden', bgcolor: 'surface.base' }}>
      <Box sx={{ px: 2.5, pt: 2, pb: 1.5 }}>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {fullName(user)} via {PRODUCT_NAME}, replies to {user.email}
        </Typography>
        <Typography sx={{ fontWeight: 620, fontSize: '1rem', mt: 0.5, overflowWrap: 'anywhere' }}>{subject}</Typography>
      </Box>
      {preview?.text && (
        <Tabs value={view} onChange={(_event, next: View) => setView(next)} aria-label="Which part of the message" sx={{ px: 1 }}>
          <Tab value="message" label="Message" id={`${id}-message`} aria-controls={`${id}-panel`} />
          <Tab value="mailed" label="With footer" id={`${id}-mailed`} aria-controls={`${id}-panel`} />
        </Tabs>
      )}
      <Box
        id={`${id}-panel`}
        {...(preview?.text && { role: 'tabpanel', 'aria-labelledby': `${id}-${view}` })}
        sx={{ px: 2.5, py: 2, borderTop: 1, borderColor: 'surface.line', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', lineHeight: 1.65, bgcolor: 'surface.panel' }}
      >
        {view === 'mailed' && preview?.text ? preview.text : content}
      </Box>
    </Box>
  );
}
