import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useRef, useState, type BaseSyntheticEvent } from 'react';
import { FormDialog } from '../../dialog/dialog-form';
import { FileInput } from '../../form/file-input';
import {
  MAX_ALT_LENGTH,
  MAX_WIDTH_PX,
  type PictureAttrs,
  type PictureTools,
  type UploadedPicture,
} from './picture-tools';
import { shrinkPicture, type PreparedPicture } from './shrink-picture';

interface PictureDialogProps {
  /** The picture to change; null for a new one. */
  picture: PictureAttrs | null;
  upload: PictureTools['upload'];
  onUploaded: (picture: UploadedPicture) => void;
  onApply: (attrs: PictureAttrs) => void;
  onClose: () => void;
}

const UNREADABLE = 'This picture cannot be read. Choose a PNG or JPEG file.';

/** Dialog for a picture: its file, its alternative text, and its width in the mail. */
export function PictureDialog({ picture, upload, onUploaded, onApply, onClose }: PictureDialogProps) {
  const [chosen, setChosen] = useState<(PreparedPicture & { name: string }) | null>(null);
  const [alt, setAlt] = useState(picture?.alt ?? '');
  const [width, setWidth] = useState(String(picture?.width ?? ''));
  const [pending, setPending] = useState(false);
  const [fault, setFault] = useState<string>();
  const [wasTried, setTried] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const typed = useRef(false);
  const pixels = Number(width);
  const isWidth = Number.isInteger(pixels) && pixels >= 1 && pixels <= MAX_WIDTH_PX;
  const choose = async (file: File) => {
    setFault(undefined);
    setPending(true);
    typed.current = false;
    try {
      const prepared = await shrinkPicture(file);
      setChosen({ ...prepared, name: file.name });
      // Keeps a width that was typed while the picture was being read.
      if (!typed.current) setWidth(String(Math.min(prepared.width, MAX_WIDTH_PX)));
    } catch {
      setFault(UNREADABLE);
    }
    setPending(false);
  };
  const submit = async () => {
    setTried(true);
    const file = chosen ?? picture;
    if (!file || !isWidth) return;
    const looks = { alt: alt.trim(), width: pixels };
    if (!chosen) return onApply({ ...picture!, ...looks });
    setPending(true);
    setFault(undefined);
    try {
      const uploaded = await upload(chosen.blob, chosen.name);
      onUploaded(uploaded);
      onApply({ fileId: uploaded.fileId, href: picture?.href ?? null, ...looks });
    } catch (error) {
      setFault((error as Error).message);
      setPending(false);
    }
  };
  return (
    <FormDialog
      title="Picture"
      submitLabel={picture ? 'Apply' : 'Add'}
      onSubmit={(event: BaseSyntheticEvent) => {
        event.preventDefault();
        // The dialog is inside the wizard's form, which must not be submitted too.
        event.stopPropagation();
        void submit();
      }}
      onClose={onClose}
      pending={pending}
      isDirty={chosen !== null}
      error={fault}
    >
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <FileInput
          ref={input}
          label="Picture file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          onFile={(file) => void choose(file)}
        />
        <Button variant="outlined" color="inherit" autoFocus={!picture} onClick={() => input.current?.click()}>
          {picture || chosen ? 'Choose another' : 'Choose a picture'}
        </Button>
        <Typography variant="body2" color={wasTried && !picture && !chosen ? 'error' : 'textSecondary'} role="status">
          {chosen?.name ?? (picture ? '' : 'PNG or JPEG, scaled to fit a mail')}
        </Typography>
      </Box>
      <TextField
        label="Description"
        value={alt}
        onChange={(event) => setAlt(event.target.value)}
        helperText="Read where the picture is not shown"
        autoFocus={picture !== null}
        slotProps={{ htmlInput: { maxLength: MAX_ALT_LENGTH } }}
      />
      <TextField
        label="Width in pixels"
        value={width}
        onChange={(event) => {
          typed.current = true;
          setWidth(event.target.value.replace(/\D/g, ''));
        }}
        error={wasTried && !isWidth}
        helperText={wasTried && !isWidth ? `From 1 to ${MAX_WIDTH_PX}` : ' '}
        slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 4 } }}
      />
    </FormDialog>
  );
}
