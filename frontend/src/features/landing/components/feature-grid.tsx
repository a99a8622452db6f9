import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { IconHistory, IconLists, IconMailCheck, IconShield, IconTemplate, IconUpload } from '../../../ui/icons';
import { Point } from './point';

const features = [
  { icon: IconMailCheck, title: 'Confirmed contacts only', text: 'Everyone says yes before the first message, and one click takes them off for good.' },
  { icon: IconTemplate, title: 'Templates that fit the desk', text: 'Job posts, urgent openings, single candidates or a bench of three: fill the blanks and go.' },
  { icon: IconHistory, title: 'A record of every send', text: 'Delivered, bounced, skipped and why: address by address, searchable, as a CSV file.' },
  { icon: IconShield, title: 'Role-based access', text: 'Recruiters send job posts, bench sales send candidate lists. Nobody mails the wrong thing.' },
  { icon: IconUpload, title: 'Lists in, lists out', text: 'Paste lines or import a file; every line that does not go in says why. Export whenever you like.' },
  { icon: IconLists, title: 'A page for every list', text: 'Share one link and people subscribe by themselves, under your name and your agency.' },
];

/** What it does, in six. */
export function FeatureGrid() {
  return (
    <Box component="section" aria-labelledby="features">
      <Typography id="features" component="h2" variant="h5" sx={{ textWrap: 'balance' }}>
        What it does instead.
      </Typography>
      <Box sx={{ display: 'grid', gap: '1px', mt: 3, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '1fr 1fr', lg: 'repeat(3, 1fr)' }, bgcolor: 'surface.line', border: 1, borderColor: 'surface.line', borderRadius: 4, overflow: 'hidden' }}>
        {features.map((point) => (
          <Box key={point.title} sx={{ p: 3, bgcolor: 'surface.panel' }}>
            <Point point={point} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}
