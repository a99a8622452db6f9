import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import { useState, type ReactNode } from 'react';
import { droppedFiles, type Dropped } from './dropped-files';

interface DropAreaProps {
  onDrop: (dropped: Dropped) => void;
  sx?: SxProps<Theme>;
  children: ReactNode;
}

/** An area for dropping files. Its content must offer a button with the same effect. */
export function DropArea({ onDrop, sx, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop(droppedFiles(event.dataTransfer));
      }}
      sx={
        [
          {
            borderRadius: 3,
            border: '1.5px dashed',
            borderColor: isOver ? 'primary.main' : 'controlBorder',
            bgcolor: isOver ? 'accentSoft' : 'transparent',
          },
          ...(Array.isArray(sx) ? (sx as readonly SxProps<Theme>[]) : [sx]),
        ] as SxProps<Theme>
      }
    >
      {children}
    </Box>
  );
}
