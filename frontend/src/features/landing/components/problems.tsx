import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { IconBan, IconClock, IconQuestion } from '../../../ui/icons';

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
        {problems.map(({ icon: Mark, title, text }) => (
          <Paper key={title} variant="outlined" sx={{ p: 3, borderRadius: 4 }}>
            <Box sx={{ display: 'inline-flex', p: 1, mb: 1.75, borderRadius: 2, bgcolor: 'tone.bad.soft', color: 'tone.bad.main' }}>
              <Mark size={18} aria-hidden />
            </Box>
            <Typography component="h3" variant="h3">
              {title}
            </Typography>
            <Typography color="textSecondary" sx={{ mt: 0.75 }}>
              {text}
            </Typography>
          </Paper>
        ))}
      </Box>
    </Box>
  );
}
