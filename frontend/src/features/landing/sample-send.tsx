import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { StatusBadge } from '../../ui/status-badge';

const rows = [
  { email: 'm.okafor@northline.example', status: 'sent' },
  { email: 'priya.raman@coastal-it.example', status: 'sent' },
  { email: 'talent@harbor.example', status: 'sending' },
  { email: 'j.lindqvist@old-domain.example', status: 'bounced' },
] as const;

/** An example of a running send, made of the app's own components. */
export function SampleSend() {
  return (
    <Paper
      variant="outlined"
      aria-hidden
      sx={{ p: { xs: 2, sm: 3 }, borderRadius: 4, boxShadow: 'var(--sc-palette-shadow)', minWidth: 0 }}
    >
      <Typography variant="caption" color="textSecondary">
        Job Post to Java vendors, East Coast
      </Typography>
      <Typography sx={{ fontWeight: 620, mt: 0.25, mb: 2.5, fontSize: '1rem' }}>
        Senior Java Developer, Hartford CT, 12 months
      </Typography>
      <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2, mb: 1 }}>
        <Typography variant="subtitle2">Sending</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          291 of 412 (70%)
        </Typography>
      </Stack>
      <Box sx={{ height: 6, borderRadius: 3, bgcolor: 'surface.raised', overflow: 'hidden' }}>
        <Box sx={{ width: '70%', height: 1, bgcolor: 'primary.main' }} />
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        about 2 minutes left
      </Typography>
      <Stack sx={{ mt: 2.5 }}>
        {rows.map((row) => (
          <Box
            key={row.email}
            sx={{ display: 'flex', alignItems: 'center', gap: 1.5, py: 1, borderTop: 1, borderColor: 'divider' }}
          >
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
