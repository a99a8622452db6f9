import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { sendTypeLabel, type SendType } from '../lib/roles';
import { IconJob, IconUsers } from '../ui/icons';
import { Tag } from '../ui/tag';

interface SendCardHeadProps {
  subject: ReactNode;
  status: ReactNode;
  emailType: SendType;
  /** Further facts, on one line with the status and the type. */
  children: ReactNode;
}

/** Subject and facts at the top of the card of a send or of a scheduled email. */
export const SendCardHead = ({ subject, status, emailType, children }: SendCardHeadProps) => (
  <>
    <Typography component="h2" variant="h3" sx={{ overflowWrap: 'anywhere' }}>
      {subject}
    </Typography>
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        mt: 1,
        color: 'text.secondary',
        fontSize: '0.8125rem',
      }}
    >
      {status}
      <Tag icon={emailType === 'job-post' ? IconJob : IconUsers}>{sendTypeLabel[emailType]}</Tag>
      {children}
    </Box>
  </>
);
