import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { client } from '../../api/client';
import { formatCount } from '../../lib/format';
import { IconMail, IconUpgrade, IconUsers, type Icon } from '../../ui/icons';
import { SectionError } from '../../ui/loading/section-error';
import { messages, type ReferralStats } from './api';

interface Figure {
  label: string;
  icon: Icon;
  value: (stats: ReferralStats) => number;
  note: (stats: ReferralStats) => string;
}

const figures: Figure[] = [
  {
    label: 'Total Invites',
    icon: IconMail,
    value: (stats) => stats.totalInvites,
    note: (stats) => `${formatCount(stats.pendingInvites)} pending`,
  },
  {
    label: 'Signups',
    icon: IconUsers,
    value: (stats) => stats.signupConversions,
    note: (stats) => `${formatCount(stats.acceptedInvites)} by invite`,
  },
  {
    label: 'Paid Conversions',
    icon: IconUpgrade,
    value: (stats) => stats.paidConversions,
    note: () => 'first payments',
  },
];

/** Invites, signups and payments that the referrals led to. */
export function Statistics() {
  const { data, error, isFetching, refetch } = client.useGetReferralsQuery();
  if (error) return <SectionError message={messages.statsFailed} pending={isFetching} onRetry={() => void refetch()} />;
  return (
    <Box
      component="dl"
      aria-label="Statistics"
      aria-busy={!data || undefined}
      sx={{ m: 0, display: 'grid', gap: { xs: 1, md: 2 }, gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' }}
    >
      {figures.map(({ label, icon: Mark, value, note }) => (
        <Box
          key={label}
          sx={{
            display: 'flex',
            flexDirection: 'column',
            justifyContent: 'space-between',
            minWidth: 0,
            p: { xs: 1.5, md: 2.25 },
            borderRadius: 3,
            border: 1,
            borderColor: 'divider',
            bgcolor: 'surface.panel',
          }}
        >
          <Box
            component="dt"
            sx={{ display: 'flex', alignItems: 'flex-start', justifyContent: 'space-between', gap: 1 }}
          >
            <Typography component="span" variant="body2" color="textSecondary" sx={{ fontWeight: 560 }}>
              {label}
            </Typography>
            <Box sx={{ color: 'primary.main', mt: '2px', display: { xs: 'none', sm: 'block' } }}>
              <Mark size={17} aria-hidden />
            </Box>
          </Box>
          <Box component="dd" sx={{ m: 0 }}>
            <Typography
              component="span"
              variant="figure"
              sx={{ display: 'block', mt: 1, fontSize: { xs: '1.5rem', md: '1.75rem' } }}
            >
              {data ? formatCount(value(data.stats)) : <Skeleton width="2ch" />}
            </Typography>
            <Typography component="span" variant="caption" color="textSecondary" sx={{ display: 'block', mt: 0.25 }}>
              {data ? note(data.stats) : <Skeleton width="60%" />}
            </Typography>
          </Box>
        </Box>
      ))}
    </Box>
  );
}
