import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { ProgressBar } from '../../../ui/progress-bar';
import { StatusBadge } from '../../../ui/status-badge';

const rows = [
  { email: 'm.okafor@northline.example', status: 'sent' },
  { email: 'priya.raman@coastal-it.example', status: 'sent' },
  { email: 'talent@harbor.example', status: 'sending' },
  { email: 'j.lindqvist@old-domain.example', status: 'bounced' },
] as const;

/** A picture of a send under way, drawn with the product's own pieces. */
export function SampleSend() {
  return (
    <Paper variant="outlined" aria-hidden sx={{ p: { xs: 2, sm: 3 }, borderRadius: 4, boxShadow: 'var(--sc-palette-lift)', minWidth: 0 }}>
      <Typography variant="caption" color="textSecondary">
        Job Post to Java vendors, East Coast
      </Typography>
      <Typography sx={{ fontWeight: 620, mt: 0.25, mb: 2.5, fontSize: '1rem' }}>Senior Java Developer, Hartford CT, 12 months</Typography>
      <ProgressBar label="Sending" done={291} total={412} note="about 2 minutes left" />
      <Stack sx={{ mt: 2.5 }}>
        {rows.map((row) => (
          <Box key={row.email} sx={{ display: 'flex', alignItems: 'center', gap: 1.5, py: 1, borderTop: 1, borderColor: 'surface.line' }}>
            <Typography variant="mono" noWrap sx={{ flex: 1, minWidth: 0 }}>
              {row.email}
            </Typography>
            <StatusBadge status={row.status} />
          </Box>
        ))}
      </Stack>
    </Paper>
  );
}
