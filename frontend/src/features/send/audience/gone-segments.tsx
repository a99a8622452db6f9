import Alert from '@mui/material/Alert';

/** Names the segments of a copied send that no longer exist. The email is sent without them. */
export function GoneSegments({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Alert severity="warning" sx={{ mb: 2.5 }}>
      {names.length === 1
        ? `A segment that this email went to no longer exists: ${names[0]}.`
        : `Segments that this email went to no longer exist: ${names.join(', ')}.`}
    </Alert>
  );
}
