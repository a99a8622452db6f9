import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { fullName } from '../../../lib/format';
import { PRODUCT_NAME } from '../../../lib/product';
import { MailFrame } from '../../../ui/mail-frame';
import { useCurrentUser, type SendPreview } from '../api';

const views = { email: 'Email', text: 'Text part', written: 'As written' } as const;
type View = keyof typeof views;

/** The message: as recipients see it, its text part, and as it was written. */
export function MessageSheet({ subject, content, preview }: { subject: string; content: string; preview?: SendPreview }) {
  const user = useCurrentUser();
  const [chosen, setChosen] = useState<View>('email');
  const id = useId();
  const isReady = Boolean(preview?.html && preview.text);
  const view = isReady ? chosen : 'written';
  return (
    <Box sx={{ border: 1, borderColor: 'surface.line', borderRadius: 3, overflow: 'hidden', bgcolor: 'surface.base' }}>
      <Box sx={{ px: 2.5, pt: 2, pb: 1.5 }}>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {fullName(user)} via {PRODUCT_NAME}, replies to {user.email}
        </Typography>
        <Typography sx={{ fontWeight: 620, fontSize: '1rem', mt: 0.5, overflowWrap: 'anywhere' }}>{subject}</Typography>
      </Box>
      {isReady && (
        <Tabs value={view} onChange={(_event, next: View) => setChosen(next)} aria-label="Which part of the message" sx={{ px: 1 }}>
          {(Object.keys(views) as View[]).map((name) => (
            <Tab key={name} value={name} label={views[name]} id={`${id}-${name}`} aria-controls={`${id}-panel`} />
          ))}
        </Tabs>
      )}
      <Box
        id={`${id}-panel`}
        {...(isReady && { role: 'tabpanel', 'aria-labelledby': `${id}-${view}` })}
        sx={{ px: 2.5, py: 2, borderTop: 1, borderColor: 'surface.line', bgcolor: 'surface.panel', ...(view !== 'email' && { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', lineHeight: 1.65 }) }}
      >
        {view === 'email' ? <MailFrame html={preview?.html ?? ''} title={`Preview of "${subject}"`} /> : view === 'text' ? preview?.text : content}
      </Box>
    </Box>
  );
}
