import Box from '@mui/material/Box';
import InputLabel from '@mui/material/InputLabel';
import Skeleton from '@mui/material/Skeleton';
import { lazy, Suspense } from 'react';
import type { RichTextProps } from './rich-text-editor';

const load = () => import('./rich-text-editor');
const RichTextEditor = lazy(load);

/** Fetches the editor before it is shown. */
export const prefetchEditor = (): void => void load().catch(() => undefined);

/** A field for a rich document. The editor's code is fetched with its first use. */
export function RichTextField(props: RichTextProps) {
  return (
    <Suspense fallback={<Waiting label={props.label} />}>
      <RichTextEditor {...props} />
    </Suspense>
  );
}

const Waiting = ({ label }: { label: string }) => (
  <Box role="status" aria-label="Loading the editor">
    <InputLabel component="div">{label}</InputLabel>
    <Skeleton variant="rounded" height={344} />
  </Box>
);
