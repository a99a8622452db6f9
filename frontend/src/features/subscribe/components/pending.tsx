import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { IconMail } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { messages } from '../messages';

/** The address was taken; the mailed link does the rest. */
export function Pending() {
  return (
    <Outcome icon={IconMail} title={messages.pendingTitle} text="You are almost there: the address has to say yes itself.">
      <Box component="ol" sx={{ pl: 2.5, mt: 0, mb: 3, '& li': { mb: 1 }, '& li::marker': { color: 'text.secondary' } }}>
        <li>Open your inbox and look for our confirmation email. It may take a minute; check your spam or junk folder too.</li>
        <li>Click the link in it. It is good for 30 days.</li>
        <li>That is all: from then on you receive the emails you asked for, and each one lets you leave.</li>
      </Box>
      <Button component={RouterLink} to={routes.home.path} variant="outlined" color="inherit">
        Go to home
      </Button>
    </Outcome>
  );
}
