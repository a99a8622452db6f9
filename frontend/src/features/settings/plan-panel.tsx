import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { useCurrentUser } from '../../api/session';
import { routes } from '../../lib/routes';
import { creditText, limitText, mayUpgrade, planLabel, usageText } from '../../shared/plan';
import { IconUpgrade } from '../../ui/icons';
import { ProgressBar } from '../../ui/loading/progress-bar';
import { Tag } from '../../ui/tag';

/** Today's sends and the plan, as the account's entitlements state them. */
export function PlanPanel() {
  const user = useCurrentUser();
  const { plan, dailyLimit, sentToday } = user.entitlements;
  const credit = creditText(user.referralCreditsMonths);
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
        <Box sx={{ flex: '1 1 14rem' }}>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
            <Typography sx={{ fontWeight: 600 }}>{planLabel(plan)} plan</Typography>
            {credit && <Tag accent>{credit}</Tag>}
          </Box>
          <Typography variant="body2" color="textSecondary">
            {limitText(dailyLimit)}
          </Typography>
        </Box>
        {mayUpgrade(user) && (
          <Button
            component={RouterLink}
            to={routes.upgrade.path}
            variant="outlined"
            endIcon={<IconUpgrade size={15} aria-hidden />}
          >
            Upgrade to Pro
          </Button>
        )}
      </Box>
      {dailyLimit ? (
        <ProgressBar label="Sends today" done={sentToday} total={dailyLimit} />
      ) : (
        <Typography variant="body2" color="textSecondary">
          {usageText(user.entitlements)}
        </Typography>
      )}
    </>
  );
}
