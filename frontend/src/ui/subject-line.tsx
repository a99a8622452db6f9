import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';

/** Subject and preview line of a message as an inbox shows them. */
export function SubjectLine({ subject, preheader }: { subject: string; preheader: string }) {
  return (
    <Typography sx={{ overflowWrap: 'anywhere' }}>
      <Box component="span" sx={{ fontWeight: 620 }}>
        {subject}
      </Box>
      {preheader && (
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {` – ${preheader}`}
        </Box>
      )}
    </Typography>
  );
}
