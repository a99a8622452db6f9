import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { IconCheck } from '../../ui/icons';

const benefits = [
  ['Free tier', 'Start with it and stay as long as it does the job.'],
  ['No credit card', 'An email address is all it takes.'],
  ['Upgrade anytime', 'Pro lifts the daily limit; cancel and you keep what you paid for.'],
  ['Replies reach you', 'Answers go to your own inbox, not to ours.'],
  ['Your contacts stay yours', 'No other sender sees the addresses on your lists.'],
  [
    'Nobody is mailed against their will',
    'Whoever unsubscribes is not mailed again, even when the address is imported again.',
  ],
] as const;

/** The reasons to try the product. */
export function Benefits() {
  return (
    <Box
      component="section"
      aria-labelledby="benefits"
      sx={{ display: 'grid', gap: { xs: 3, lg: 8 }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '1fr 1.7fr' } }}
    >
      <Typography id="benefits" component="h2" variant="h5" sx={{ textWrap: 'balance' }}>
        Easy to start, hard to misuse.
      </Typography>
      <Box
        component="ul"
        sx={{
          m: 0,
          p: 0,
          listStyle: 'none',
          display: 'grid',
          columnGap: 5,
          rowGap: 2.5,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '1fr 1fr' },
        }}
      >
        {benefits.map(([title, text]) => (
          <Box component="li" key={title} sx={{ display: 'flex', gap: 1.5 }}>
            <Box sx={{ color: 'primary.main', mt: '3px', flexShrink: 0 }}>
              <IconCheck size={18} aria-hidden />
            </Box>
            <Box>
              <Typography sx={{ fontWeight: 600, fontSize: '1rem' }}>{title}</Typography>
              <Typography color="textSecondary">{text}</Typography>
            </Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
