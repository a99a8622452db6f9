import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { IconBan, IconClock, IconQuestion } from '../../../ui/icons';
import { Point } from './point';

const problems = [
  { icon: IconBan, title: 'Your mailbox is not made for it', text: 'A few hundred copies from a personal inbox, and the provider holds the account for the day, in the middle of a hot opening.' },
  { icon: IconQuestion, title: 'Nobody knows who agreed', text: 'Addresses travel from sheet to sheet. Who asked for your mail, who asked to be left alone, and when? Nobody can say.' },
  { icon: IconClock, title: 'Sent is not arrived', text: 'Half a list may have moved on. Without a record, you call the ones who never got it and miss the ones who did.' },
];

/** What goes wrong without it. */
export function Problems() {
  return (
    <Box component="section" aria-labelledby="problems">
      <Typography id="problems" component="h2" variant="h5" sx={{ textWrap: 'balance', maxWidth: '24ch' }}>
        Mailing by hand breaks where it hurts.
      </Typography>
      <Box sx={{ display: 'grid', gap: 2, mt: 3, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(3, 1fr)' } }}>
        {problems.map((point) => (
          <Paper key={point.title} variant="outlined" sx={{ p: 3, borderRadius: 4 }}>
            <Point alarming point={point} />
          </Paper>
        ))}
      </Box>
    </Box>
  );
}
