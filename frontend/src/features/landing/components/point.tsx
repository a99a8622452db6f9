import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Icon } from '../../../ui/icons';

interface PointText {
  icon: Icon;
  title: string;
  text: string;
}

/** A sign, a short title and a sentence. `alarming` puts the sign on its own red ground. */
export function Point({ point: { icon: Mark, title, text }, alarming }: { point: PointText; alarming?: boolean }) {
  return (
    <>
      <Box sx={alarming ? { display: 'inline-flex', p: 1, mb: 1.75, borderRadius: 2, bgcolor: 'tone.bad.soft', color: 'tone.bad.main' } : { color: 'primary.main', mb: 1.5 }}>
        <Mark size={alarming ? 18 : 20} aria-hidden />
      </Box>
      <Typography component="h3" variant="h3">
        {title}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 0.75 }}>
        {text}
      </Typography>
    </>
  );
}
