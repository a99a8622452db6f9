import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { useCurrentUser } from '../../api/session';
import { dayNow, formatCount, plural } from '../../lib/format';
import { historyPath, routes, settingsPath } from '../../lib/routes';
import { limitText, planLabel } from '../../shared/plan';
import { IconLists, IconPlan, IconSend, IconUsers, type Icon } from '../../ui/icons';
import type { Stats } from './api';

interface StatCardProps {
  label: string;
  value: string;
  note: string;
  icon: Icon;
  to: string;
}

/** The four statistics; each links to what it counts. */
export function StatCards({ stats }: { stats: Stats }) {
  const { dailyLimit } = useCurrentUser().entitlements;
  return (
    <Box
      component="section"
      aria-label="Statistics"
      sx={{
        display: 'grid',
        gap: { xs: 1.5, md: 2 },
        gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
      }}
    >
      <StatCard
        icon={IconSend}
        to={historyPath({ from: dayNow() })}
        label="Emails sent today"
        value={formatCount(stats.emailsSentToday)}
        note={dailyLimit === null ? 'Unlimited' : `of ${formatCount(dailyLimit)} a day`}
      />
      <StatCard
        icon={IconLists}
        to={routes.lists.path}
        label="Email lists"
        value={formatCount(stats.totalLists)}
        note={`${formatCount(stats.activeLists)} with confirmed contacts`}
      />
      <StatCard
        icon={IconUsers}
        to={routes.lists.path}
        label="Contacts"
        value={formatCount(stats.totalContacts)}
        note={`on ${plural(stats.totalLists, 'list')}`}
      />
      <StatCard
        icon={IconPlan}
        to={settingsPath('plan')}
        label="Plan"
        value={planLabel(stats.tier)}
        note={limitText(dailyLimit)}
      />
    </Box>
  );
}

function StatCard({ label, value, note, icon: Mark, to }: StatCardProps) {
  return (
    <Box
      component={RouterLink}
      to={to}
      sx={{
        display: 'block',
        minWidth: 0,
        p: { xs: 1.75, md: 2.25 },
        borderRadius: 3,
        border: 1,
        borderColor: 'divider',
        bgcolor: 'surface.panel',
        color: 'inherit',
        textDecoration: 'none',
        '&:hover': { borderColor: 'controlBorder' },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', justifyContent: 'space-between', gap: 1 }}>
        <Typography component="span" variant="body2" color="textSecondary" sx={{ fontWeight: 560 }}>
          {label}
        </Typography>
        <Box sx={{ color: 'primary.main', mt: '2px' }}>
          <Mark size={17} aria-hidden />
        </Box>
      </Box>
      <Typography
        component="span"
        variant="figure"
        sx={{ display: 'block', mt: 1, fontSize: { xs: '1.5rem', md: '1.75rem' } }}
      >
        {value}
      </Typography>
      <Typography component="span" variant="caption" color="textSecondary" sx={{ display: 'block', mt: 0.25 }}>
        {note}
      </Typography>
    </Box>
  );
}
