import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { sizeText } from '../../../shared/files/file-texts';
import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { IconDelete } from '../../../ui/icons';
import { SectionError } from '../../../ui/loading/section-error';
import { RelativeTime } from '../../../ui/relative-time';
import { useFileActions, usePictures, type StoredPicture } from '../api';
import { messages } from '../messages';
import { cardGrid } from '../../../ui/linked-card';

/** Pictures that were uploaded for messages, latest first; renders nothing if there are none. */
export function Pictures() {
  const id = useId();
  const { pictures, error, isFetching, refetch } = usePictures();
  const [deleting, setDeleting] = useState<StoredPicture | null>(null);
  if (error && !pictures)
    return <SectionError message={messages.picturesFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!pictures || pictures.length === 0) return null;
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="h2" sx={{ mb: 1.25 }}>
        Pictures
      </Typography>
      <Box sx={cardGrid}>
        {pictures.map((picture) => (
          <PictureCard key={picture.id} picture={picture} onDelete={() => setDeleting(picture)} />
        ))}
      </Box>
      {deleting && <DeletePicture picture={deleting} onClose={() => setDeleting(null)} />}
    </Box>
  );
}

function PictureCard({ picture, onDelete }: { picture: StoredPicture; onDelete: () => void }) {
  const { name, path, width, height, byteSize, createdAt } = picture;
  return (
    <Paper
      variant="outlined"
      component="article"
      aria-label={name}
      sx={{ p: 2, display: 'flex', gap: 2, alignItems: 'center', minWidth: 0 }}
    >
      <Box
        component="img"
        src={path}
        alt=""
        loading="lazy"
        sx={{
          width: 72,
          height: 72,
          objectFit: 'contain',
          borderRadius: 1.5,
          bgcolor: 'surface.raised',
          flexShrink: 0,
        }}
      />
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Typography component="h3" variant="h3" noWrap title={name}>
          {name}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {`${width} × ${height}, ${sizeText(byteSize)}`}
        </Typography>
        <Typography variant="caption" color="textSecondary" sx={{ display: 'block' }}>
          <RelativeTime iso={createdAt} />
        </Typography>
      </Box>
      <Button
        size="small"
        color="inherit"
        startIcon={<IconDelete size={15} aria-hidden />}
        aria-label={`Delete ${name}`}
        onClick={onDelete}
      >
        Delete
      </Button>
    </Paper>
  );
}

function DeletePicture({ picture, onClose }: { picture: StoredPicture; onClose: () => void }) {
  const { remove } = useFileActions();
  return (
    <DeleteDialog title={`Delete "${picture.name}"?`} onDelete={() => remove(picture.id)} onClose={onClose}>
      {messages.deletePicture}
    </DeleteDialog>
  );
}
