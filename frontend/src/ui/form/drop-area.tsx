import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import { useState, type ReactNode } from 'react';

interface DropAreaProps {
  onDrop: (files: readonly File[]) => void;
  sx?: SxProps<Theme>;
  children: ReactNode;
}

/** Takes files that are dropped on it. What it holds offers a button for the same. */
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
        onDrop([...event.dataTransfer.files]);
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
