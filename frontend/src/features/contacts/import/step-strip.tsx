import Box from '@mui/material/Box';
import { IconCheck } from '../../../ui/icons';
import { STEPS, type Step } from './api';

/** 'Read · Columns · Check · Import', with the current step marked. */
export function StepStrip({ step, isOver }: { step: Step; isOver: boolean }) {
  const present = STEPS.indexOf(step);
  return (
    <Box
      component="ol"
      aria-label="Steps of the import"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: { xs: 1, sm: 2 }, listStyle: 'none', p: 0, m: 0, mb: 3 }}
    >
      {STEPS.map((name, index) => {
        const isDone = index < present || (isOver && index === present);
        return (
          <Box
            component="li"
            key={name}
            aria-current={index === present ? 'step' : undefined}
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: 0.75,
              fontSize: '0.875rem',
              fontWeight: index === present ? 620 : 450,
              color: index <= present ? 'text.primary' : 'text.secondary',
            }}
          >
            <Box
              aria-hidden
              sx={{
                display: 'grid',
                placeItems: 'center',
                width: 22,
                height: 22,
                borderRadius: '50%',
                fontSize: '0.75rem',
                fontVariantNumeric: 'tabular-nums',
                border: 1,
                borderColor: index === present ? 'primary.main' : 'divider',
                color: index === present || isDone ? 'primary.main' : 'text.secondary',
                bgcolor: isDone ? 'accentSoft' : 'transparent',
              }}
            >
              {isDone ? <IconCheck size={13} aria-hidden /> : index + 1}
            </Box>
            {name}
          </Box>
        );
      })}
    </Box>
  );
}
