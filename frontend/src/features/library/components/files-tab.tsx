import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { formatCount } from '../../../lib/format';
import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { IconDelete, IconFile } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { SectionError } from '../../../ui/loading/section-error';
import { CardSkeletons, LoadingRegion } from '../../../ui/loading/skeletons';
import { RelativeTime } from '../../../ui/relative-time';
import { useDeleteFile, useFiles, type StoredFile } from '../api';
import { messages } from '../messages';
import { cardGrid } from '../../../ui/linked-card';

/** Pictures that were uploaded for messages, the latest first. */
export function FilesTab() {
  const { files, error, isFetching, refetch } = useFiles();
  const [asked, setAsked] = useState<StoredFile | null>(null);
  if (error && !files)
    return <SectionError message={messages.filesFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!files)
    return (
      <LoadingRegion label="Loading files">
        <CardSkeletons />
      </LoadingRegion>
    );
  if (files.length === 0) return <EmptyState icon={IconFile} title={messages.noFiles} />;
  return (
    <>
      <Box component="section" aria-label="Files" sx={cardGrid}>
        {files.map((file) => (
          <FileCard key={file.id} file={file} onDelete={() => setAsked(file)} />
        ))}
      </Box>
      {asked && <DeleteFile file={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function FileCard({ file, onDelete }: { file: StoredFile; onDelete: () => void }) {
  const { name, path, width, height, byteSize, createdAt } = file;
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
        <Typography component="h2" variant="h3" noWrap title={name}>
          {name}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {`${width} × ${height}, ${formatCount(Math.max(1, Math.round(byteSize / 1024)))} KB`}
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

function DeleteFile({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const remove = useDeleteFile();
  return (
    <DeleteDialog title={`Delete "${file.name}"?`} onDelete={() => remove(file.id)} onClose={onClose}>
      {messages.deleteFile}
    </DeleteDialog>
  );
}
