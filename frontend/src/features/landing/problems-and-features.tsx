import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import {
  IconBan,
  IconClock,
  IconHistory,
  IconLists,
  IconMailCheck,
  IconQuestion,
  IconShield,
  IconTemplate,
  IconUpload,
  type Icon,
} from '../../ui/icons';

const problems = [
  {
    icon: IconBan,
    title: 'Your mailbox is not made for it',
    text: 'A few hundred copies from a personal inbox, and the provider holds the account for the day, in the middle of a hot opening.',
  },
  {
    icon: IconQuestion,
    title: 'Nobody knows who agreed',
    text: 'Addresses travel from sheet to sheet. Who asked for your mail, who asked to be left alone, and when? Nobody can say.',
  },
  {
    icon: IconClock,
    title: 'Sent is not arrived',
    text: 'Half a list may have moved on. Without a record, you call the ones who never got it and miss the ones who did.',
  },
];

/** The problems of mailing by hand. */
export function Problems() {
  return (
    <Box component="section" aria-labelledby="problems">
      <Typography id="problems" component="h2" variant="h5" sx={{ textWrap: 'balance', maxWidth: '24ch' }}>
        Mailing by hand breaks where it hurts.
      </Typography>
      <Box sx={{ display: 'grid', gap: 2, mt: 3, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(3, 1fr)' } }}>
        {problems.map((content) => (
          <Paper key={content.title} variant="outlined" sx={{ p: 3, borderRadius: 4 }}>
            <IconText alarming content={content} />
          </Paper>
        ))}
      </Box>
    </Box>
  );
}

const features = [
  {
    icon: IconMailCheck,
    title: 'Confirmed contacts only',
    text: 'Everyone says yes before the first message, and one click takes them off for good.',
  },
  {
    icon: IconTemplate,
    title: 'Templates that fit the desk',
    text: 'Job posts, urgent openings, single candidates or a bench of three: fill the blanks and go.',
  },
  {
    icon: IconHistory,
    title: 'A record of every send',
    text: 'Delivered, bounced, skipped and why: address by address, searchable, as a CSV file.',
  },
  {
    icon: IconShield,
    title: 'Role-based access',
    text: 'Recruiters send job posts, bench sales send candidate lists. Nobody mails the wrong thing.',
  },
  {
    icon: IconUpload,
    title: 'Lists in, lists out',
    text: 'Paste lines or import a file; every line that does not go in says why. Export whenever you like.',
  },
  {
    icon: IconLists,
    title: 'A page for every list',
    text: 'Share one link and people subscribe by themselves, under your name and your agency.',
  },
];

/** The six main features. */
export function FeatureGrid() {
  return (
    <Box component="section" aria-labelledby="features">
      <Typography id="features" component="h2" variant="h5" sx={{ textWrap: 'balance' }}>
        What it does instead.
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: '1px',
          mt: 3,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '1fr 1fr', lg: 'repeat(3, 1fr)' },
          bgcolor: 'divider',
          border: 1,
          borderColor: 'divider',
          borderRadius: 4,
          overflow: 'hidden',
        }}
      >
        {features.map((content) => (
          <Box key={content.title} sx={{ p: 3, bgcolor: 'surface.panel' }}>
            <IconText content={content} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}

interface IconTextContent {
  icon: Icon;
  title: string;
  text: string;
}

/** An icon, a title and a sentence. `alarming` gives the icon a red background. */
function IconText({
  content: { icon: Mark, title, text },
  alarming,
}: {
  content: IconTextContent;
  alarming?: boolean;
}) {
  return (
    <>
      <Box
        sx={
          alarming
            ? {
                display: 'inline-flex',
                p: 1,
                mb: 1.75,
                borderRadius: 2,
                bgcolor: 'tone.error.soft',
                color: 'tone.error.main',
              }
            : { color: 'primary.main', mb: 1.5 }
        }
      >
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
