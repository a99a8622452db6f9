import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { removeUnusedAnswers } from '../../api/live/cached-answers';
import { allTags } from '../../api/live/changes';
import { markStale } from '../../api/live/stale-answers';
import { MAIN_PADDING } from './layout-sizes';

/** Shorter outages are not shown, because missed changes are caught up. */
const PAUSED_AFTER_MS = 10_000;

/** Tells the user that live updates are paused. Until they resume, each screen fetches its data when it is opened. */
export function LivePaused({ isLive }: { isLive: boolean }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (isLive) return undefined;
    const timer = setTimeout(() => setLong(true), PAUSED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isLive]);
  const dispatch = useDispatch();
  const { key } = useLocation();
  useEffect(() => {
    if (isLong) removeUnusedAnswers(dispatch);
  }, [isLong, key, dispatch]);
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        ...(isLong && { px: MAIN_PADDING.px, py: 0.75, borderBottom: 1, borderColor: 'divider' }),
      }}
    >
      <Typography role="status" variant="body2" color="textSecondary">
        {isLong && 'Live updates are paused. Each screen shows what it found when you opened it.'}
      </Typography>
      {isLong && (
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          sx={{ flexShrink: 0 }}
          onClick={() => dispatch(markStale(allTags))}
        >
          Refresh
        </Button>
      )}
    </Box>
  );
}
