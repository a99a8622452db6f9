import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { IconDownload } from '../../../ui/icons';
import { EXPORT_URL } from '../api';

/** Everything the account holds, as one file. */
export function DataExport() {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
      <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 14rem' }}>
        A ZIP file with your profile, lists, contacts, sends, deliveries, referrals and plan, as CSV and JSON.
      </Typography>
      <Button component="a" href={EXPORT_URL} download variant="outlined" color="inherit" startIcon={<IconDownload size={16} aria-hidden />}>
        Export data
      </Button>
    </Box>
  );
}
