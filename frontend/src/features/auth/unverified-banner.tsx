import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { useCurrentUser } from '../../api/session';
import { checkEmailPath } from '../../lib/routes';
import { IconMail } from '../../ui/icons';
import { ResendButton } from './resend-button';

/** Reminds an unverified user that nothing is sent before the address is verified. */
export function UnverifiedBanner() {
  const user = useCurrentUser();
  if (user.isVerified) return null;
  return (
    <Box
      component="aside"
      aria-label="Email verification"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        flexWrap: 'wrap',
        px: { xs: 2, md: 3 },
        py: 1,
        bgcolor: 'tone.warning.soft',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ color: 'tone.warning.main' }}>
        <IconMail size={17} aria-hidden />
      </Box>
      <Typography sx={{ flex: '1 1 18rem' }}>
        Verify <strong>{user.email}</strong> to send email and open your lists’ public pages. Until then you can set up
        lists and contacts.{' '}
        <Link component={RouterLink} to={checkEmailPath(user.email)} color="inherit">
          How to verify
        </Link>
      </Typography>
      <ResendButton size="small" variant="outlined" color="inherit" />
    </Box>
  );
}
