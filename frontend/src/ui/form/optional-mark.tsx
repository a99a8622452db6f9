import Box from '@mui/material/Box';

/** 'Agency name (optional)'. */
export function OptionalMark({ label }: { label: string }) {
  return (
    <>
      {label}{' '}
      <Box component="span" sx={{ color: 'text.secondary', fontWeight: 450 }}>
        (optional)
      </Box>
    </>
  );
}
