import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { routes } from '../../lib/routes';
import { IconArrowRight, IconHistory, IconLists, IconSend } from '../../ui/icons';

const links = [
  { to: routes.send.path, icon: IconSend, title: 'Write a send', text: 'Choose lists, write, preview, send' },
  {
    to: routes.lists.path,
    icon: IconLists,
    title: 'Manage your lists',
    text: 'Add, import and remove contacts',
  },
  {
    to: routes.history.path,
    icon: IconHistory,
    title: 'Follow up',
    text: 'The result of every delivery',
  },
];

/** Links to the three main tasks. */
export function QuickLinks() {
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', md: 'repeat(3, 1fr)' } }}>
      {links.map(({ to, icon: Mark, title, text }) => (
        <Box
          key={to}
          component={RouterLink}
          to={to}
          sx={{
            display: 'flex',
            gap: 1.5,
            alignItems: 'flex-start',
            p: 2,
            borderRadius: 3,
            border: 1,
            borderColor: 'divider',
            bgcolor: 'surface.panel',
            color: 'inherit',
            textDecoration: 'none',
            '&:hover': {
              borderColor: 'controlBorder',
              '& .go': { transform: 'translateX(2px)', color: 'primary.main' },
            },
          }}
        >
          <Box sx={{ p: 1, borderRadius: 2, bgcolor: 'accentSoft', color: 'primary.main' }}>
            <Mark size={18} aria-hidden />
          </Box>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Typography component="span" sx={{ display: 'block', fontWeight: 600 }}>
              {title}
            </Typography>
            <Typography component="span" variant="body2" color="textSecondary">
              {text}
            </Typography>
          </Box>
          <Box className="go" sx={{ color: 'text.secondary', mt: '3px', transition: 'transform 120ms' }}>
            <IconArrowRight size={16} aria-hidden />
          </Box>
        </Box>
      ))}
    </Box>
  );
}
