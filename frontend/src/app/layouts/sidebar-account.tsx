import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import type { CurrentUser } from '../../api/session';
import { fullName } from '../../lib/format';
import { routes } from '../../lib/routes';
import { PersonAvatar } from '../../shared/person-avatar';
import { mayUpgrade, planLabel, usageText } from '../../shared/plan';
import { roleLabel } from '../../lib/roles';
import { IconUpgrade } from '../../ui/icons';
import { Tag } from '../../ui/tag';
import { Tooltip } from '../../ui/tooltip';

/** The signed-in person, today's usage and the plan. */
export function SidebarAccount({ user, collapsed }: { user: CurrentUser; collapsed: boolean }) {
  const name = fullName(user);
  const usage = usageText(user.entitlements);
  const picture = <PersonAvatar person={user} />;
  if (collapsed) {
    return (
      <Tooltip title={`${name}, ${roleLabel(user.role)}. ${usage}`} placement="right" inPlace>
        <Box sx={{ display: 'flex', justifyContent: 'center', pb: 0.5 }}>{picture}</Box>
      </Tooltip>
    );
  }
  return (
    <Stack sx={{ gap: 1.5, p: 1.25, borderRadius: 2.5, bgcolor: 'surface.panel', border: 1, borderColor: 'divider' }}>
      <Stack direction="row" sx={{ gap: 1.25, alignItems: 'center' }}>
        {picture}
        <Box sx={{ minWidth: 0 }}>
          <Typography noWrap sx={{ fontWeight: 600 }} title={name}>
            {name}
          </Typography>
          <Typography variant="caption" color="textSecondary">
            {roleLabel(user.role)}
          </Typography>
        </Box>
      </Stack>
      <Stack direction="row" sx={{ gap: 0.75, flexWrap: 'wrap' }}>
        <Tag>{usage}</Tag>
        <Tag accent>{planLabel(user.entitlements.plan)}</Tag>
      </Stack>
      {mayUpgrade(user) && (
        <Button
          component={RouterLink}
          to={routes.upgrade.path}
          size="small"
          variant="outlined"
          endIcon={<IconUpgrade size={15} aria-hidden />}
        >
          Upgrade to Pro
        </Button>
      )}
    </Stack>
  );
}
