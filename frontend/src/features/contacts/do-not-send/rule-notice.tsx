import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import type { ProfileRuleDto } from '../../../api/endpoints.gen';
import { formatDate } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { IconBan } from '../../../ui/icons';
import { reasonWord } from './rules';

/** Shows on a person's page that a rule prevents all emails, with a link to the rule. */
export function RuleNotice({ rule: { value, reason, until } }: { rule: ProfileRuleDto }) {
  return (
    <Alert severity="warning" icon={<IconBan size={18} aria-hidden />} sx={{ mb: 2, overflowWrap: 'anywhere' }}>
      On your do-not-send list: {reasonWord(reason)}
      {' ('}
      <Link component={RouterLink} to={`${routes.doNotSend.path}?q=${encodeURIComponent(value)}`} color="inherit">
        {value}
      </Link>
      {until ? `, until ${formatDate(until)})` : ')'}
    </Alert>
  );
}
