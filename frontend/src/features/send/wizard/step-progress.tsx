import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { stepNames } from '../messages';

/** 'Step n of 4', the save state and the progress bar. */
export function StepProgress({ step, status }: { step: number; status: ReactNode }) {
  const total = stepNames.length;
  const text = `Step ${step + 1} of ${total}`;
  return (
    <Box sx={{ mb: 3 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, mb: 1 }}>
        <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 1.5, flexWrap: 'wrap' }}>
          <Typography variant="subtitle2" aria-live="polite">
            {text}
          </Typography>
          {status}
        </Box>
        <Box
          component="ol"
          aria-hidden
          sx={{ display: { xs: 'none', sm: 'flex' }, gap: 2, m: 0, p: 0, listStyle: 'none', fontSize: '0.8125rem' }}
        >
          {stepNames.map((name, index) => (
            <Box
              component="li"
              key={name}
              sx={{ color: index === step ? 'primary.main' : 'text.secondary', fontWeight: index === step ? 600 : 450 }}
            >
              {name}
            </Box>
          ))}
        </Box>
      </Box>
      <LinearProgress variant="determinate" value={((step + 1) / total) * 100} aria-label={text} />
    </Box>
  );
}
