import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { PRODUCT_NAME } from '../../lib/product';
import { SubmitButton } from '../../ui/form/submit-button';
import { IconComplaint } from '../../ui/icons';
import { useReport } from './api';

/** 'Report this file': asks once, then tells the operator. Who reports is not kept. */
export function ReportFile({ token }: { token: string }) {
  const [isAsking, setAsking] = useState(false);
  const [report, { isLoading, error, data }] = useReport();
  const [isDone, setDone] = useState(false);
  if (isDone || data)
    return (
      <Typography role="status" variant="body2">
        Thank you. The people who run {PRODUCT_NAME} will look at this file.
      </Typography>
    );
  if (!isAsking)
    return (
      <Button
        color="inherit"
        size="small"
        startIcon={<IconComplaint size={15} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        Report this file
      </Button>
    );
  return (
    <Stack role="group" aria-label="Report this file?" sx={{ gap: 1.5 }}>
      <Typography variant="body2">
        Report this file? Do so if it is harmful, or if it is about you and should not be here. Nothing about you is
        kept.
      </Typography>
      {error && <Alert severity="error">{error.message || 'The file could not be reported. Please try again.'}</Alert>}
      <Stack direction="row" sx={{ gap: 1 }}>
        <Button variant="outlined" color="inherit" disabled={isLoading} onClick={() => setAsking(false)} autoFocus>
          Cancel
        </Button>
        <SubmitButton
          type="button"
          pending={isLoading}
          onClick={() =>
            void report(token)
              .then(() => setDone(true))
              .catch(() => undefined)
          }
        >
          Report
        </SubmitButton>
      </Stack>
    </Stack>
  );
}
