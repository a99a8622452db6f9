import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { IconAlert, IconCheck, IconError, IconInfo, type Icon } from '../../ui/icons';
import { useToast, type Toast } from '../../ui/toast/toast';

const tests: { label: string; icon: Icon; toast: Toast }[] = [
  {
    label: 'Success',
    icon: IconCheck,
    toast: { title: 'Success', description: 'It worked. This is how that looks.', variant: 'success' },
  },
  {
    label: 'Error',
    icon: IconError,
    toast: { title: 'Error', description: 'Something failed. This is how that looks.', variant: 'destructive' },
  },
  {
    label: 'Warning',
    icon: IconAlert,
    toast: { title: 'Warning', description: 'Something needs a look. This is how that looks.', variant: 'warning' },
  },
  {
    label: 'Info',
    icon: IconInfo,
    toast: { title: 'Info', description: 'Something is worth knowing. This is how that looks.', variant: 'info' },
  },
];

/** Shows one of each kind of notification. */
export function NotificationTests() {
  const show = useToast();
  return (
    <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
      {tests.map(({ label, icon: Mark, toast }) => (
        <Button
          key={label}
          variant="outlined"
          color="inherit"
          startIcon={<Mark size={15} aria-hidden />}
          onClick={() => show(toast)}
        >
          {label}
        </Button>
      ))}
    </Box>
  );
}
