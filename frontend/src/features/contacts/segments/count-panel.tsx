import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { isApiError } from '../../../api/api-error';
import { formatCount, plural } from '../../../lib/format';
import { nameOf } from '../api';
import { contactProfilePath } from '../../../lib/routes';
import { SectionError } from '../../../ui/loading/section-error';
import { messages } from './messages';
import type { FilterCount } from './use-filter-count';

/** Number of people that a filter finds, and five of them. */
export function CountPanel({ counting }: { counting: FilterCount }) {
  return (
    <Paper component="section" variant="outlined" aria-label="Count" sx={{ p: 2.25 }}>
      <CountBody counting={counting} />
    </Paper>
  );
}

function CountBody({ counting: { count, error, isWaiting, isFetching, retry } }: { counting: FilterCount }) {
  if (error) {
    const hasOwnText = isApiError(error) && error.status === 409;
    return (
      <SectionError message={hasOwnText ? error.message : messages.countFailed} pending={isFetching} onRetry={retry} />
    );
  }
  if (!count) {
    return isWaiting ? (
      <Box role="status" aria-label="Counting">
        <Skeleton width="70%" height={34} />
        <Skeleton width="50%" />
      </Box>
    ) : (
      <Typography color="textSecondary">{messages.countLater}</Typography>
    );
  }
  const about = count.approximate ? 'about ' : '';
  return (
    // While a changed filter is counted, the previous numbers stay, dimmed.
    <Box aria-busy={isWaiting} sx={{ opacity: isWaiting ? 0.6 : 1 }}>
      <Box role="status">
        <Typography variant="h2" component="p" color={count.approximate ? 'textSecondary' : undefined}>
          {about}
          {plural(count.count, 'contact')}
        </Typography>
        <Typography color="textSecondary">
          {about}
          {formatCount(count.mailable)} can be mailed
        </Typography>
      </Box>
      {count.sample.length > 0 && (
        <Box
          component="ul"
          aria-label="Some of them"
          sx={{ listStyle: 'none', p: 0, m: 0, mt: 2, display: 'grid', gap: 1 }}
        >
          {count.sample.map(({ id, email, firstName, lastName, company }) => (
            <li key={id}>
              <Link
                component={RouterLink}
                to={contactProfilePath(id)}
                target="_blank"
                color="inherit"
                sx={{ overflowWrap: 'anywhere', fontWeight: 540 }}
              >
                {nameOf({ firstName, lastName, email })}
              </Link>
              <Typography variant="caption" color="textSecondary" component="div" sx={{ overflowWrap: 'anywhere' }}>
                {[firstName || lastName ? email : null, company].filter(Boolean).join(', ')}
              </Typography>
            </li>
          ))}
        </Box>
      )}
    </Box>
  );
}
