import Box from '@mui/material/Box';
import { useRef } from 'react';
import { Page, PageHeader } from '../../ui/page/page';
import { InviteForm } from './invite-form';
import { InvitesGrid } from './invites-grid';
import { LinkCard } from './link-card';
import { Statistics } from './statistics';

/** The referral link, invites by email, and their statistics. */
export function ReferralsScreen() {
  const email = useRef<HTMLInputElement>(null);
  return (
    <Page>
      <PageHeader
        title="Referrals"
        description="Bring colleagues along. When someone you referred pays for the first time, you get a month of Pro, up to twelve a year."
      />
      <Box sx={{ display: 'grid', gap: 2 }}>
        <Box
          sx={{
            display: 'grid',
            gap: 2,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
          }}
        >
          <LinkCard />
          <InviteForm inputRef={email} />
        </Box>
        <Statistics />
        <InvitesGrid onInvite={() => email.current?.focus()} />
      </Box>
    </Page>
  );
}
